package postroad.lab.sync;

import java.io.IOException;
import java.util.function.Consumer;
import postroad.wire.Link;

/// A way from a sender to its receiver: opens links.
public interface Dialing {
    /// Opens one link; the other end goes to `taker`, on a thread of its own.
    ///
    /// @return the sender's end
    Link open(Consumer<Link> taker) throws IOException;
}
