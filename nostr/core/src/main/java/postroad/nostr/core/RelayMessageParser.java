package postroad.nostr.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Reads what a relay says to a client. Owned by one thread, which uses it again and again.
///
/// Strict about JSON and events, whose ids are checked; elements that a later NIP may add at the end are let pass.
public final class RelayMessageParser {
    private final JsonCursor cursor = new JsonCursor();
    private final EventReader events;

    /// A parser that refuses events beyond `limits`.
    public RelayMessageParser(EventLimits limits) {
        events = new EventReader(limits);
    }

    /// Reads the message that the bytes from `from` up to `to` are.
    public RelayMessage parse(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        cursor.reset(bytes, from, to);
        try {
            cursor.take('[');
            RelayMessage message = message(cursor.string());
            while (cursor.takeMore(']')) {
                cursor.skipValue();
            }
            cursor.takeEnd();
            return message;
        } catch (Refusal refusal) {
            return new RelayMessage.Unreadable(refusal.reason());
        } finally {
            cursor.clear();
        }
    }

    private RelayMessage message(String verb) {
        return switch (verb) {
            case "EVENT" -> {
                String id = nextString();
                cursor.take(',');
                yield new RelayMessage.Matched(id, events.read(cursor));
            }
            case "OK" -> ok();
            case "EOSE" -> new RelayMessage.Eose(nextString(), hints());
            case "CLOSED" -> new RelayMessage.Closed(nextString(), optionalString());
            case "COUNT" -> counted();
            case "AUTH" -> new RelayMessage.Challenge(nextString());
            case "NOTICE" -> new RelayMessage.Notice(nextString());
            default -> throw Refusal.unsupported("the verb " + Refusal.quote(verb) + " is unknown");
        };
    }

    private RelayMessage ok() {
        String id = nextString();
        cursor.take(',');
        boolean accepted = bool();
        return new RelayMessage.Ok(id, accepted, optionalString());
    }

    private RelayMessage counted() {
        String id = nextString();
        cursor.take(',');
        cursor.take('{');
        long count = -1;
        boolean approximate = false;
        if (!cursor.tryTake('}')) {
            do {
                String key = cursor.string();
                cursor.take(':');
                switch (key) {
                    case "count" -> count = cursor.integer(key, EventReader.MAX_TIME);
                    case "approximate" -> approximate = bool();
                    default -> cursor.skipValue();
                }
            } while (cursor.takeMore('}'));
        }
        if (count < 0) {
            throw Refusal.invalid("COUNT without a count");
        }
        return new RelayMessage.Counted(id, count, approximate);
    }

    /// NIP-67's third element, where it is there and an array; hints that are no strings are let pass.
    private List<String> hints() {
        List<String> hints = new ArrayList<>();
        int before = cursor.position();
        if (!cursor.tryTake(',')) {
            return hints;
        }
        if (cursor.peek() != '[') {
            cursor.seek(before);
            return hints;
        }
        cursor.take('[');
        if (!cursor.tryTake(']')) {
            do {
                if (cursor.peek() == '"') {
                    hints.add(cursor.string());
                } else {
                    cursor.skipValue();
                }
            } while (cursor.takeMore(']'));
        }
        return hints;
    }

    private String nextString() {
        cursor.take(',');
        return cursor.string();
    }

    private String optionalString() {
        int before = cursor.position();
        if (cursor.tryTake(',') && cursor.peek() == '"') {
            return cursor.string();
        }
        cursor.seek(before);
        return "";
    }

    private boolean bool() {
        boolean value = cursor.peek() == 't';
        if (!value && cursor.peek() != 'f') {
            throw Refusal.invalid("true or false was expected");
        }
        cursor.skipValue();
        return value;
    }
}
