package postroad.nostr.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Set;
import java.util.function.LongSupplier;
import postroad.common.Bytes32;
import postroad.nostr.core.Event;
import postroad.nostr.core.Prefix;

/// Decides whether an event is taken, by what costs little: its times, who sends it, whether it is
/// protected (NIP-70). Signature and store come later.
final class EventPolicy {
    /// Answers to a challenge are no events to keep (NIP-42).
    static final int AUTH_KIND = 22_242;

    private static final int REPOST = 6;
    private static final int GENERIC_REPOST = 16;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final AuthMode auth;
    private final Limits limits;
    private final LongSupplier clock;

    /// What is to become of an event.
    sealed interface Decision {
        /// On to the signature.
        record Accept() implements Decision {}

        /// Answered with OK false.
        record Refuse(Prefix prefix, String text) implements Decision {}
    }

    EventPolicy(RelayConfig config, LongSupplier clock) {
        this.auth = config.auth();
        this.limits = config.limits();
        this.clock = clock;
    }

    /// Decides on `event`, sent by a connection that has proven `keys`.
    Decision decide(Event event, Set<Bytes32> keys) {
        if (auth == AuthMode.REQUIRED && keys.isEmpty()) {
            return refuse(Prefix.AUTH_REQUIRED, "this relay takes events after authentication only");
        }
        if (event.kind() == AUTH_KIND) {
            return refuse(Prefix.INVALID, "kind 22242 belongs into an AUTH message");
        }
        long now = clock.getAsLong();
        if (limits.futureSeconds() > 0 && event.createdAt() > now + limits.futureSeconds()) {
            return refuse(
                    Prefix.INVALID, "created_at is more than " + limits.futureSeconds() + " seconds in the future");
        }
        if (limits.pastSeconds() > 0 && event.createdAt() < now - limits.pastSeconds()) {
            return refuse(Prefix.INVALID, "created_at is more than " + limits.pastSeconds() + " seconds in the past");
        }
        if (event.expiration() != 0 && event.expiration() <= now) {
            return refuse(Prefix.INVALID, "event expired");
        }
        if (event.isProtected() && !keys.contains(event.author().bytes())) {
            return refuseProtected(keys);
        }
        if ((event.kind() == REPOST || event.kind() == GENERIC_REPOST) && embedsProtected(event.content())) {
            return refuse(Prefix.BLOCKED, "a repost must not embed a protected event");
        }
        return new Decision.Accept();
    }

    private Decision refuseProtected(Set<Bytes32> keys) {
        if (auth == AuthMode.OFF) {
            return refuse(Prefix.BLOCKED, "event marked as protected");
        }
        return keys.isEmpty()
                ? refuse(Prefix.AUTH_REQUIRED, "this event may only be published by its author")
                : refuse(Prefix.RESTRICTED, "this event may only be published by its author");
    }

    /// Whether `content` is the JSON of an event with the tag `["-"]`.
    static boolean embedsProtected(String content) {
        if (!content.contains("{")) {
            return false;
        }
        try {
            for (JsonNode tag : JSON.readTree(content).path("tags")) {
                if (tag.path(0).asText().equals("-")) {
                    return true;
                }
            }
            return false;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static Decision refuse(Prefix prefix, String text) {
        return new Decision.Refuse(prefix, text);
    }
}
