package postroad.lab.fuzz;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import postroad.nostr.kit.Garbage;

/// Watches this JVM while a relay in it is mistreated: threads that die, buffers that leak, memory that
/// stays, failures that are logged because they must not be. So it hears warnings of Netty, and errors of Postroad.
///
/// Netty's leak detector works on every buffer while it watches; it finds a leak when the buffer's memory
/// is collected, so that [#complaints] collects first.
public final class Health implements AutoCloseable {
    private static final int ROUNDS = 2;
    private static final int BUFFERS_PER_ROUND = 2_000;

    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final Logger leaks = Logger.getLogger(ResourceLeakDetector.class.getName());
    private final Logger netty = Logger.getLogger("io.netty");
    private final Logger ours = Logger.getLogger("postroad");
    private final Handler ear = new Ear(Level.WARNING);
    private final Handler earForOurs = new Ear(Level.SEVERE);
    private final UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();
    private final Set<String> relayThreads;

    private Health() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        leaks.addHandler(ear);
        netty.addHandler(ear);
        ours.addHandler(earForOurs);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> complaints.add("thread " + thread.getName() + " died of " + e));
        relayThreads = threads();
    }

    /// Begins to watch; the relay's threads that must live are those there are now.
    public static Health watch() {
        return new Health();
    }

    /// What went wrong so far; empty when nothing did.
    public List<String> complaints() {
        collect();
        Set<String> gone = new TreeSet<>(relayThreads);
        gone.removeAll(threads());
        gone.forEach(name -> complaints.add("thread " + name + " is gone"));
        return List.copyOf(complaints);
    }

    /// Bytes in use after a collection: heap, direct buffers, and what Netty's allocators hold.
    public static long usedBytes() {
        collect();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() + direct;
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        leaks.removeHandler(ear);
        netty.removeHandler(ear);
        ours.removeHandler(earForOurs);
        ResourceLeakDetector.setLevel(levelBefore);
    }

    /// Lets lost buffers be found: their trackers are queued by a collection, and looked at when others are
    /// made.
    private static void collect() {
        for (int round = 0; round < ROUNDS; round++) {
            Garbage.collect();
            for (int i = 0; i < BUFFERS_PER_ROUND; i++) {
                ByteBufAllocator.DEFAULT.directBuffer(16).release();
                PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
            }
        }
    }

    /// The names of the platform threads that are not the JVM's, the test's or a pool's spare ones.
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("relay") || name.startsWith("postroad"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private final class Ear extends Handler {
        private final Level from;

        Ear(Level from) {
            this.from = from;
        }

        @Override
        public void publish(LogRecord record) {
            String text = String.valueOf(record.getMessage());
            if (text.contains("LEAK") || record.getLevel().intValue() >= from.intValue()) {
                complaints.add(record.getLoggerName() + ": " + text
                        + (record.getThrown() == null ? "" : " " + record.getThrown()));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
