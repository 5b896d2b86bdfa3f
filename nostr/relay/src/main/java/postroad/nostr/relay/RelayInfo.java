package postroad.nostr.relay;

import java.util.Optional;

/// What the operator says of the relay in its NIP-11 document.
public record RelayInfo(
        String name,
        String description,
        Optional<String> pubkey,
        Optional<String> contact,
        Optional<String> icon,
        Optional<String> privacyPolicy,
        Optional<String> termsOfService,
        Optional<String> postingPolicy,
        String version) {
    /// A relay nobody has described yet.
    public static final RelayInfo DEFAULT = new RelayInfo(
            "Postroad relay",
            "A relay run by Postroad.",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "dev");
}
