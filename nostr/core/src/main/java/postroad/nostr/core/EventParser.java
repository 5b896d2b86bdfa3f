package postroad.nostr.core;

import java.util.Objects;

/// Reads events from JSON, strictly, and checks their ids (NIP-01). Owned by one thread, which uses it again and again.
///
/// Refused are: text that is not JSON or not UTF-8, control characters in strings, lone surrogates,
/// keys that are missing or there twice, numbers in any but the plain form, hex in upper case, tags
/// that are not arrays of strings, an `expiration` that is no time, whatever is beyond a limit, and an
/// id that is not the hash. Keys that are no event's are validated and not kept. The signature is not
/// checked: see [VerifiedEvent].
public final class EventParser {
    private final JsonCursor cursor = new JsonCursor();
    private final EventReader reader;

    /// A parser that refuses what is beyond `limits`.
    public EventParser(EventLimits limits) {
        reader = new EventReader(limits);
    }

    /// Reads the event that the bytes from `from` up to `to` are, white space around it apart.
    public Result parse(byte[] json, int from, int to) {
        Objects.checkFromToIndex(from, to, json.length);
        cursor.reset(json, from, to);
        try {
            Event event = reader.read(cursor);
            cursor.takeEnd();
            return new Result.Parsed(event);
        } catch (Refusal refusal) {
            return new Result.Refused(IdFinder.find(json, from, to), refusal.reason());
        } finally {
            cursor.clear();
        }
    }

    /// What became of the bytes.
    public sealed interface Result {
        /// An event whose id is right.
        record Parsed(Event event) implements Result {}

        /// No event: `id` as the text gave it, "" when none was readable; `reason` with its prefix.
        record Refused(String id, String reason) implements Result {}
    }
}
