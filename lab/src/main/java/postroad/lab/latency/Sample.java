package postroad.lab.latency;

/// One session.
///
/// @param nanos from the first dial until both sides had ended
/// @param sent bytes from the sender to the receiver, before TLS
/// @param received bytes the other way
record Sample(long nanos, long sent, long received) {}
