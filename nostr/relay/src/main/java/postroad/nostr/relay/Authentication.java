package postroad.nostr.relay;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import postroad.common.Bytes32;
import postroad.common.Hex;
import postroad.nostr.core.Event;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Tag;
import postroad.nostr.core.VerifiedEvent;

/// What one connection has proven of its keys (NIP-42): it signs our challenge and names our address. Owned
/// by the connection's loop.
final class Authentication {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CHALLENGE_BYTES = 16;
    private static final long TOLERANCE_SECONDS = 600;

    /// Keys that one connection may prove.
    static final int MOST_KEYS = 64;

    private final Set<RelayUrl> urls;
    private final String host;
    private final String challenge;
    private final Set<Bytes32> keys = new HashSet<>(2);

    /// @param urls our addresses; when empty, `host`, what the client's handshake called us, stands for them
    Authentication(Set<RelayUrl> urls, String host) {
        this.urls = urls;
        this.host = host;
        byte[] random = new byte[CHALLENGE_BYTES];
        RANDOM.nextBytes(random);
        this.challenge = Hex.encode(random);
    }

    /// What the client has to sign.
    String challenge() {
        return challenge;
    }

    /// The keys proven so far.
    Set<Bytes32> keys() {
        return keys;
    }

    /// Takes the answer to the challenge; the reason when it proves nothing, and what was proven before
    /// stays.
    Optional<String> prove(Event event, long now) {
        if (event.kind() != EventPolicy.AUTH_KIND) {
            return invalid("the kind must be 22242");
        }
        if (Math.abs(event.createdAt() - now) > TOLERANCE_SECONDS) {
            return invalid("created_at is more than ten minutes away from now");
        }
        if (event.expiration() != 0 && event.expiration() <= now) {
            return invalid("event expired");
        }
        List<Tag> tags = event.tags();
        if (!challenge.equals(value(tags, "challenge"))) {
            return invalid("the challenge is not the one that was sent");
        }
        if (!isOurs(value(tags, "relay"))) {
            return invalid("the relay tag does not name this relay");
        }
        if (keys.size() >= MOST_KEYS && !keys.contains(event.author().bytes())) {
            return Optional.of(Prefix.RATE_LIMITED.with("at most " + MOST_KEYS + " keys on one connection"));
        }
        if (VerifiedEvent.verify(event).isEmpty()) {
            return invalid("bad signature");
        }
        keys.add(event.author().bytes());
        return Optional.empty();
    }

    private boolean isOurs(String url) {
        Optional<RelayUrl> named = RelayUrl.parse(url);
        if (named.isEmpty()) {
            return false;
        }
        return urls.isEmpty() ? isHost(named.get()) : urls.contains(named.get());
    }

    /// Whether the URL has the host, and the port, that the client connected to. The scheme is not
    /// compared: a proxy may have taken TLS off.
    private boolean isHost(RelayUrl named) {
        Optional<String> theirs = authority(named.text());
        return theirs.equals(authority("ws://" + host)) || theirs.equals(authority("wss://" + host));
    }

    private static Optional<String> authority(String url) {
        return RelayUrl.parse(url).map(known -> {
            String rest = known.text().substring(known.text().indexOf("://") + 3);
            int end = rest.indexOf('/');
            return (end < 0 ? rest : rest.substring(0, end)).toLowerCase(Locale.ROOT);
        });
    }

    private static String value(List<Tag> tags, String name) {
        return tags.stream()
                .filter(tag -> tag.name().equals(name))
                .map(Tag::value)
                .findFirst()
                .orElse("");
    }

    private static Optional<String> invalid(String text) {
        return Optional.of(Prefix.INVALID.with(text));
    }
}
