package postroad.sync.peer;

import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import postroad.sync.core.Frame;
import postroad.sync.core.SessionId;
import postroad.wire.Link;

/// Opens the further links of a session, all at once, each on a thread of its own. One that fails only makes the
/// session narrower.
public final class Joining {
    /// Opens one link to the peer.
    public interface Dial {
        Link open() throws IOException;
    }

    private Joining() {}

    /// Opens links 1 to `links` - 1 and hands each on once its Join is written.
    ///
    /// @param failed is told why a link did not come about
    public static void open(
            SessionId id, int links, Dial dial, BiConsumer<Integer, Link> opened, Consumer<String> failed) {
        for (int link = 1; link < links; link++) {
            int number = link;
            Thread.ofPlatform().daemon().name("sync-join-" + number).start(() -> {
                try {
                    Link joined = dial.open();
                    Greeting.write(joined, new Frame.Join(id, number));
                    opened.accept(number, joined);
                } catch (IOException e) {
                    failed.accept("connection " + (number + 1) + " of " + links + " failed: " + e.getMessage());
                }
            });
        }
    }
}
