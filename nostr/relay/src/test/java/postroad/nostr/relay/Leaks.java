package postroad.nostr.relay;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import postroad.nostr.kit.Garbage;

/// Watches every buffer of the tests with Netty's paranoid leak detector, and fails the class that lost one.
final class Leaks implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> FOUND = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        // Not by a factory of detectors: that comes too late where another test has made a buffer before.
        ByteBufUtil.setLeakListener((type, records) -> FOUND.add(type + records));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // What classes without this watch have lost is not this one's.
        forget();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<String> found = find();
        if (!found.isEmpty()) {
            throw new AssertionError("buffers leaked: " + found);
        }
    }

    /// The buffers lost since the last [#forget].
    static List<String> find() {
        // A lost buffer is noticed when the collector has taken it and the next buffer is made.
        Garbage.collect();
        ByteBufAllocator.DEFAULT.directBuffer(16).release();
        ByteBufAllocator.DEFAULT.heapBuffer(16).release();
        return List.copyOf(FOUND);
    }

    /// Finds what was lost until now, and holds it against nobody.
    static void forget() {
        List<String> _ = find();
        FOUND.clear();
    }
}
