/// The relay: sessions, admission, the ingest pipeline, live subscriptions and the HTTP side, on Netty
/// event loops.
///
/// A request is parsed, planned and, when small, answered on the loop that read it, with one write. Events
/// go from the loop to the verifiers, to the one writer, and back to the loops as one batch: OK first, then
/// live delivery. Public: [RelayServer], [Ingest], [RelayStats], [RelayConfig], [AuthMode], [Limits],
/// [Timeouts], [RelayInfo]; for the lab, which times the parts: [Stages], [EchoServer].
package postroad.nostr.relay;
