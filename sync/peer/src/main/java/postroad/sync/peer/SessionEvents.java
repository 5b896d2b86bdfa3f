package postroad.sync.peer;

import postroad.sync.core.FailureCode;
import postroad.sync.core.Kind;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;

/// What a session tells while it runs, on either side. Called by the session's own thread, which must not be kept.
public interface SessionEvents {
    /// Nobody listens.
    SessionEvents NONE = new SessionEvents() {};

    /// Both sides' options are known: this is what holds. Told on the sender's side.
    default void agreed(SessionOptions options) {}

    /// A name was brought in line (in a dry run: would be); `changes` are the bits of [postroad.sync.core.Outcome].
    default void changed(TreePath path, Kind kind, int changes) {}

    /// A name was deleted (in a dry run: would be).
    default void deleted(TreePath path, Kind kind) {}

    /// One name could not be synced; everything else goes on.
    ///
    /// @param path as shown to people
    default void failed(String path, FailureCode code, String text) {}

    /// Something a person should know that is no failure.
    default void note(String text) {}
}
