package postroad.app.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.VerifiedEvent;

/// A chunk's events, parsed and checked, and the lines that are none.
///
/// @param lines lines looked at, too long ones among them
/// @param bytes what the chunk counts for in the bound on memory
record Verified(List<VerifiedEvent> events, List<Refusal> refusals, long tooLong, long lines, int bytes) {
    /// One line refused: where, and why.
    record Refusal(String where, String reason, long count) {}

    /// Checks every line of a chunk. Runs on a verifier thread.
    static Verified of(Chunk chunk, ImportOptions options, long now) {
        EventParser parser = new EventParser(options.event());
        List<VerifiedEvent> events = new ArrayList<>(chunk.lines());
        List<Refusal> refusals = new ArrayList<>();
        if (chunk.tooLong() > 0) {
            refusals.add(new Refusal(
                    chunk.source + ":" + chunk.firstTooLong(),
                    Prefix.INVALID.with("the line is longer than " + options.maxLineBytes() + " bytes"),
                    chunk.tooLong()));
        }
        for (int line = 0; line < chunk.lines(); line++) {
            String reason = check(chunk, line, parser, options, now, events);
            if (!reason.isEmpty()) {
                refusals.add(new Refusal(chunk.source + ":" + chunk.number(line), reason, 1));
            }
        }
        return new Verified(events, refusals, chunk.tooLong(), chunk.lines() + chunk.tooLong(), chunk.size());
    }

    private static String check(
            Chunk chunk, int line, EventParser parser, ImportOptions options, long now, List<VerifiedEvent> events) {
        return switch (parser.parse(chunk.bytes(), chunk.from(line), chunk.to(line))) {
            case EventParser.Result.Refused(String id, String reason) -> kind(reason);
            case EventParser.Result.Parsed(var event)
            when options.futureSeconds() > 0 && event.createdAt() > now + options.futureSeconds() ->
                Prefix.INVALID.with("created_at is more than " + options.futureSeconds() + " s in the future");
            case EventParser.Result.Parsed(var event) -> {
                Optional<VerifiedEvent> verified =
                        options.verify() ? VerifiedEvent.verify(event) : Optional.of(VerifiedEvent.unchecked(event));
                verified.ifPresent(events::add);
                yield verified.isPresent() ? "" : Prefix.INVALID.with("bad signature");
            }
        };
    }

    /// The reason without what differs from line to line, so that equal ones are counted together.
    private static String kind(String reason) {
        return reason.replaceFirst(" at byte [0-9]+", "");
    }
}
