package postroad.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import postroad.sync.core.Frame;
import postroad.sync.peer.SessionEnd;
import postroad.wire.LinkFacts;

/// What one `send`, or one session of `receive`, came to: for people, for scripts, and as an exit status.
///
/// @param verb `send` or `receive`
/// @param interrupted whether this side was told to stop before the end
/// @param peer the other side's address
/// @param fingerprint its certificate; empty where nothing is encrypted
/// @param facts what the first connection ran on
/// @param wireSent bytes that went, frames and all, over all attempts
/// @param resent bytes of content that a sender wrote to connections beyond one copy of each, over all attempts
/// @param attempts how many sessions it took
record SyncReport(
        String verb,
        SessionEnd end,
        boolean interrupted,
        boolean dryRun,
        String peer,
        Optional<String> fingerprint,
        LinkFacts facts,
        int links,
        long wireSent,
        long wireReceived,
        long resent,
        int attempts,
        double seconds,
        List<SyncTeller.Problem> problems,
        long failed) {
    private static final int SHOWN_FAILURES = 20;

    int status() {
        return switch (end) {
            case SessionEnd.Done(Frame.Summary summary) ->
                failed > 0 || summary.failed() > 0 || summary.deletesSkipped() ? Verb.PARTLY : Verb.DONE;
            case SessionEnd.Stopped stopped -> interrupted ? Verb.INTERRUPTED : Verb.FAILED;
            case SessionEnd.Broken broken -> interrupted ? Verb.INTERRUPTED : Verb.FAILED;
            case SessionEnd.Fault fault -> Verb.FAILED;
        };
    }

    /// Tells it: what went wrong to the person, what was done where answers go.
    void tell(Console console, SyncSettings settings) {
        problems.stream()
                .limit(SHOWN_FAILURES)
                .forEach(each -> console.say(verb + ": " + each.path() + ": " + each.text()));
        long more = failed - Math.min(failed, Math.min(problems.size(), SHOWN_FAILURES));
        if (more > 0) {
            console.say(verb + ": and " + Amounts.count(more, "name more failed", "names more failed"));
        }
        why().ifPresent(text -> console.say(verb + ": " + text));
        if (settings.json()) {
            console.out().println(Json.of(json()));
        } else if (!settings.quiet()) {
            text().forEach(console.out()::println);
        }
        console.out().flush();
    }

    /// Why it is not, or not wholly, done.
    private Optional<String> why() {
        return switch (end) {
            case SessionEnd.Done(Frame.Summary summary) ->
                summary.deletesSkipped() ? Optional.of("nothing was deleted: " + whyKept(summary)) : Optional.empty();
            case SessionEnd.Stopped(var code, String text) -> Optional.of(text);
            case SessionEnd.Broken(String text) -> Optional.of("the connection broke: " + text);
            case SessionEnd.Fault(Throwable cause) -> Optional.of("a fault of postroad's own: " + cause);
        };
    }

    private static String whyKept(Frame.Summary summary) {
        if (summary.failed() > 0) {
            return "not everything came over";
        }
        return summary.files() + summary.upToDate() == 0
                ? "the source is empty, and nothing is ever deleted for that"
                : "it is more than --max-delete";
    }

    private List<String> text() {
        return switch (end) {
            case SessionEnd.Done(Frame.Summary summary) -> List.of(did(summary), wire(summary));
            case SessionEnd.Stopped stopped -> List.of();
            case SessionEnd.Broken broken -> List.of();
            case SessionEnd.Fault fault -> List.of();
        };
    }

    private String did(Frame.Summary summary) {
        String would = dryRun ? "dry run, nothing was changed: " : "";
        return would
                + Amounts.count(summary.files(), "name changed", "names changed")
                + String.format(
                        Locale.ROOT,
                        ", %,d up to date, %,d deleted, %,d failed",
                        summary.upToDate(),
                        summary.deleted(),
                        summary.failed());
    }

    private String wire(Frame.Summary summary) {
        long content = summary.bytes();
        StringBuilder text = new StringBuilder()
                .append(Amounts.bytes(content))
                .append(" of content")
                .append(summary.reused() > 0 ? ", " + Amounts.bytes(summary.reused()) + " reused" : "")
                .append("; on the wire ")
                .append(Amounts.bytes(wireSent))
                .append(" out, ")
                .append(Amounts.bytes(wireReceived))
                .append(" in; ")
                .append(String.format(Locale.ROOT, "%.1f s", seconds));
        if (content > 0) {
            text.append(", ").append(Amounts.rate(content / Math.max(1e-3, seconds)));
        }
        if (attempts > 1) {
            text.append("; ")
                    .append(attempts)
                    .append(" attempts, ")
                    .append(Amounts.bytes(resent))
                    .append(" sent again");
        }
        return text.toString();
    }

    private Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("verb", verb);
        object.put("status", word());
        object.put("exit", status());
        why().ifPresent(text -> object.put("error", text));
        object.put("dry_run", dryRun);
        if (end instanceof SessionEnd.Done(Frame.Summary summary)) {
            object.put("changed", summary.files());
            object.put("up_to_date", summary.upToDate());
            object.put("deleted", summary.deleted());
            object.put("failed", summary.failed());
            object.put("deletes_skipped", summary.deletesSkipped());
            object.put("content_bytes", summary.bytes());
            object.put("reused_bytes", summary.reused());
        }
        object.put("resent_bytes", resent);
        object.put("wire_sent_bytes", wireSent);
        object.put("wire_received_bytes", wireReceived);
        object.put("seconds", Math.round(seconds * 1000) / 1000.0);
        object.put("attempts", attempts);
        object.put("peer", peer);
        fingerprint.ifPresent(text -> object.put("peer_fingerprint", text));
        object.put("connections", links);
        object.put("encrypted", facts.encrypted());
        facts.cipher().ifPresent(name -> object.put("cipher", name));
        facts.congestion().ifPresent(name -> object.put("congestion", name));
        object.put("congestion_chosen", facts.congestionChosen());
        object.put("failures", problems.stream().map(SyncReport::json).toList());
        object.put("failures_left_out", failed - Math.min(failed, problems.size()));
        return object;
    }

    private static Map<String, Object> json(SyncTeller.Problem problem) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("path", problem.path());
        one.put("code", problem.code().name().toLowerCase(Locale.ROOT));
        one.put("reason", problem.text());
        return one;
    }

    private String word() {
        return switch (end) {
            case SessionEnd.Done done -> status() == Verb.DONE ? "done" : "partly";
            case SessionEnd.Stopped stopped -> "stopped";
            case SessionEnd.Broken broken -> "broken";
            case SessionEnd.Fault fault -> "fault";
        };
    }
}
