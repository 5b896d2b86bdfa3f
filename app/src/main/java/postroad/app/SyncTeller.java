package postroad.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Kind;
import postroad.sync.core.Outcome;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.peer.SessionEvents;

/// Keeps what a session tells, and prints a line for each name when that is wanted. Thread-safe.
///
/// The code of a line: how (`>` content was written, `c` made or changed in its place, `.` time or mode
/// only, `-` deleted), what (`f` file, `d` folder, `L` link), then `+++` for what is new, else a letter
/// or a dot for content or target (`c`), time (`t`) and mode (`p`); a `!` at the end where something of
/// another kind was in its place.
final class SyncTeller implements SessionEvents {
    /// Failures that are kept; those beyond are counted.
    static final int MOST_FAILURES = 10_000;

    /// One name that could not be synced.
    record Problem(String path, FailureCode code, String text) {}

    private final SyncProgress progress;
    private final PrintStream items;
    private final boolean itemize;
    private final List<Problem> problems = new ArrayList<>();
    private Optional<SessionOptions> agreed = Optional.empty();
    private long failed;

    /// @param items where lines for each name go
    SyncTeller(SyncProgress progress, PrintStream items, boolean itemize) {
        this.progress = progress;
        this.items = items;
        this.itemize = itemize;
    }

    @Override
    public synchronized void agreed(SessionOptions options) {
        agreed = Optional.of(options);
    }

    @Override
    public synchronized void changed(TreePath path, Kind kind, int changes) {
        if (itemize) {
            progress.around(() -> items.println(code(kind, changes) + " " + path + (kind == Kind.FOLDER ? "/" : "")));
        }
    }

    @Override
    public synchronized void deleted(TreePath path, Kind kind) {
        if (itemize) {
            progress.around(
                    () -> items.println("-" + letter(kind) + "---  " + path + (kind == Kind.FOLDER ? "/" : "")));
        }
    }

    @Override
    public synchronized void failed(String path, FailureCode code, String text) {
        failed++;
        if (problems.size() < MOST_FAILURES) {
            problems.add(new Problem(path, code, text));
        }
    }

    @Override
    public void note(String text) {
        progress.say(text);
    }

    static String code(Kind kind, int changes) {
        Outcome outcome = new Outcome(0, changes);
        boolean isNew = outcome.has(Outcome.CREATED);
        boolean content = outcome.has(Outcome.CONTENT) || outcome.has(Outcome.TARGET);
        String how = kind == Kind.FILE && (content || isNew) ? ">" : isNew || content ? "c" : ".";
        String what = isNew
                ? "+++"
                : (content ? "c" : ".")
                        + (outcome.has(Outcome.TIME) ? "t" : ".")
                        + (outcome.has(Outcome.MODE) ? "p" : ".");
        return how + letter(kind) + what + (outcome.has(Outcome.REPLACED) ? "!" : " ");
    }

    private static char letter(Kind kind) {
        return switch (kind) {
            case FILE -> 'f';
            case FOLDER -> 'd';
            case LINK -> 'L';
        };
    }

    /// What failed, the first of them.
    synchronized List<Problem> problems() {
        return List.copyOf(problems);
    }

    /// How many failed.
    synchronized long failed() {
        return failed;
    }

    /// What both sides came to, once that is known.
    synchronized Optional<SessionOptions> agreed() {
        return agreed;
    }

    /// Before another attempt: what failed in the one that broke is tried again.
    synchronized void forgetFailures() {
        problems.clear();
        failed = 0;
    }
}
