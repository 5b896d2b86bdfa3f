package postroad.nostr.relay;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Watches every buffer of the tests with Netty's paranoid leak detector, and fails the class that lost one.
final class Leaks implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> FOUND = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @SuppressWarnings("deprecation") // it is the one abstract method
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return new Detector<>(resource, samplingInterval);
            }
        });
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {
        Detector(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            FOUND.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            FOUND.add(resourceType);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        FOUND.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        // A lost buffer is noticed when the collector has taken it and the next buffer is made.
        for (int i = 0; i < 2; i++) {
            System.gc();
            io.netty.buffer.ByteBufAllocator.DEFAULT.directBuffer(16).release();
            io.netty.buffer.ByteBufAllocator.DEFAULT.heapBuffer(16).release();
        }
        if (!FOUND.isEmpty()) {
            throw new AssertionError("buffers leaked: " + FOUND);
        }
    }
}
