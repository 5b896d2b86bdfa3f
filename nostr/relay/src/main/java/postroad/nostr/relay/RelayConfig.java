package postroad.nostr.relay;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayUrl;

/// Everything a relay is told at start.
///
/// @param listen address and port; port 0 takes a free one
/// @param urls the addresses by which clients know this relay, for AUTH (NIP-42); empty: whatever host the
///     client's handshake named
/// @param privateKinds kinds shown to their author and the keys they are addressed to only
/// @param trustedProxies addresses or CIDR blocks whose `X-Forwarded-For` is believed
/// @param deflate whether permessage-deflate is offered (RFC 7692)
/// @param loops event loops
/// @param verifiers threads that check signatures
/// @param warmUp whether the JIT is warmed through the real pipeline before the port opens
public record RelayConfig(
        InetSocketAddress listen,
        Set<RelayUrl> urls,
        AuthMode auth,
        Filter.Kinds privateKinds,
        List<String> trustedProxies,
        boolean deflate,
        Limits limits,
        Timeouts timeouts,
        RelayInfo info,
        int loops,
        int verifiers,
        boolean warmUp) {
    /// Direct messages, seals, gift wraps and their ephemeral twin (NIP-04, NIP-59).
    public static final Filter.Kinds DEFAULT_PRIVATE_KINDS = Filter.Kinds.of(4, 13, 1059, 21_059);

    /// Copies the collections.
    ///
    /// @throws IllegalArgumentException if a trusted proxy is no address or block, or there is no
    ///     thread for something
    public RelayConfig {
        trustedProxies.forEach(AddressBlock::parse);
        if (loops < 1 || verifiers < 1) {
            throw new IllegalArgumentException("at least one event loop and one verifier are needed");
        }
        urls = Set.copyOf(urls);
        trustedProxies = List.copyOf(trustedProxies);
    }

    /// The defaults, for a relay that listens on `listen`.
    public static RelayConfig at(InetSocketAddress listen) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new RelayConfig(
                listen,
                Set.of(),
                AuthMode.OPTIONAL,
                DEFAULT_PRIVATE_KINDS,
                List.of(),
                true,
                Limits.DEFAULT,
                Timeouts.DEFAULT,
                RelayInfo.DEFAULT,
                Math.max(1, processors / 2),
                processors,
                true);
    }
}
