package postroad.sync.peer;

import postroad.sync.core.Frame;
import postroad.sync.core.StopCode;

/// How a session ended.
public sealed interface SessionEnd {
    /// Everything that could be done is done and safe.
    record Done(Frame.Summary summary) implements SessionEnd {}

    /// One side refused or gave up, and said why; another try will not help by itself.
    record Stopped(StopCode code, String text) implements SessionEnd {}

    /// The connection broke or fell silent; a new session goes on from what has arrived.
    record Broken(String text) implements SessionEnd {}

    /// A fault of this program.
    record Fault(Throwable cause) implements SessionEnd {}

    /// A text for people has so many characters at most.
    int MOST_TEXT = 1024;

    /// All done.
    static SessionEnd done(Frame.Summary summary) {
        return new Done(summary);
    }

    /// Given up.
    static SessionEnd stopped(StopCode code, String text) {
        return new Stopped(code, text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) + "…" : text);
    }

    /// The connection is gone.
    static SessionEnd broken(Exception cause) {
        String text = cause.getMessage();
        return new Broken(text == null ? cause.getClass().getSimpleName() : text);
    }

    /// Our own fault.
    static SessionEnd fault(Throwable cause) {
        return new Fault(cause);
    }
}
