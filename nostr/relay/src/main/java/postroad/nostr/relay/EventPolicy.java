package postroad.nostr.relay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
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

    /// Patient, but for depth: the reader keeps an object for each open bracket, and a content of nothing else
    /// would take the heap.
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(10_000)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

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

    /// Whether `content` is the JSON of an event with the tag `["-"]`, or nested too deep to say.
    static boolean embedsProtected(String content) {
        if (!content.contains("{")) {
            return false;
        }
        try (JsonParser parser = JSON.createParser(content)) {
            return parser.nextToken() == JsonToken.START_OBJECT && hasProtectedTags(parser);
        } catch (StreamConstraintsException e) {
            // Some client may read deeper than we do, and then what follows counts.
            return true;
        } catch (IOException e) {
            // Not JSON from here on: no client makes an event of it.
            return false;
        }
    }

    /// Looks at every member called `tags`: of two with one name, clients differ in which they take.
    private static boolean hasProtectedTags(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean isTags = parser.currentName().equals("tags");
            if (parser.nextToken() == JsonToken.START_ARRAY && isTags) {
                if (hasProtectedTag(parser)) {
                    return true;
                }
            } else {
                parser.skipChildren();
            }
        }
        return false;
    }

    private static boolean hasProtectedTag(JsonParser parser) throws IOException {
        boolean found = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                found |= parser.nextToken() == JsonToken.VALUE_STRING
                        && parser.getText().equals("-");
                skipRest(parser);
            } else {
                parser.skipChildren();
            }
        }
        return found;
    }

    /// Up to the end of the array whose first token was read.
    private static void skipRest(JsonParser parser) throws IOException {
        while (parser.currentToken() != JsonToken.END_ARRAY) {
            parser.skipChildren();
            parser.nextToken();
        }
    }

    private static Decision refuse(Prefix prefix, String text) {
        return new Decision.Refuse(prefix, text);
    }
}
