package postroad.lab.syncfuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import postroad.sync.core.Frame;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;
import postroad.sync.peer.Gate;
import postroad.sync.peer.Joining;
import postroad.sync.peer.Meter;
import postroad.sync.peer.ReceiverHost;
import postroad.sync.peer.SendSession;
import postroad.sync.peer.SessionEnd;
import postroad.sync.peer.SessionEvents;
import postroad.sync.peer.SessionIds;
import postroad.sync.peer.Target;
import postroad.sync.peer.Tuning;
import postroad.wire.Link;
import postroad.wire.LinkPair;
import postroad.wire.MemoryLinks;

/// Runs seeded sessions of which one side's frames are changed on the way, so that the other has a hostile peer. Each
/// must end with a word, leave no thread, touch nothing that it may not, and be followed by a good session.
public final class SyncFuzzer {
    private static final Tuning TUNING = Tuning.DEFAULT.withSilence(Duration.ofSeconds(2));
    private static final int TRIES = 10;
    private static final int BOUND = 256 << 10;
    private static final long PATIENCE_SECONDS = 90;

    private final Path folder;
    private final LongAdder meddled = new LongAdder();
    private final Map<String, Integer> ends = new TreeMap<>();
    private long sessions;

    /// What was done, and how sessions ended, by kind.
    public record Report(long sessions, long frames, Map<String, Integer> ends) {}

    /// @param folder where trees are made and removed
    public SyncFuzzer(Path folder) {
        this.folder = folder;
    }

    /// Runs waves of `width` sessions at once until `most` ran or the time is over.
    ///
    /// @throws IllegalStateException when something did not hold; it names the seed
    public Report run(long seed, int width, Duration time, long most) throws IOException, InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        for (long next = seed; sessions < most && System.nanoTime() < until; next += width) {
            wave(next, width);
        }
        return new Report(sessions, meddled.sum(), Map.copyOf(ends));
    }

    private void wave(long seed, int width) throws IOException, InterruptedException {
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            trials.add(new Trial(seed + i));
        }
        for (Trial each : trials) {
            each.begin();
        }
        for (Trial each : trials) {
            each.await();
        }
        awaitNoThreads(seed);
        for (Trial each : trials) {
            each.check();
            sessions++;
        }
    }

    private static void awaitNoThreads(long seed) throws InterruptedException {
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (isOfSession(each)) {
                each.join(Duration.ofSeconds(10));
                if (each.isAlive()) {
                    throw new IllegalStateException("seeds from " + seed + ": " + each.getName() + " stays in "
                            + List.of(each.getStackTrace()));
                }
            }
        }
    }

    private static boolean isOfSession(Thread thread) {
        return thread.getName().startsWith("send-") || thread.getName().startsWith("receive-");
    }

    /// One pair of trees with its receiver: first a mistreated session, then a good one.
    private final class Trial implements ReceiverHost.Listener {
        private final long seed;
        private final Random random;
        private final Grounds grounds;
        private final ReceiverHost host;
        private final CompletableFuture<SessionEnd> sent = new CompletableFuture<>();
        private CompletableFuture<SessionEnd> received = new CompletableFuture<>();
        private boolean wasRefused;

        Trial(long seed) throws IOException {
            this.seed = seed;
            random = new Random(seed);
            grounds = Grounds.make(folder.resolve("trial" + seed), seed);
            host = new ReceiverHost(Gate.OPEN, this::target, own(random), TUNING, this);
        }

        private Target target(SessionOptions options) throws postroad.sync.folder.TreeException {
            return Target.of(
                    Tree.create(bytes(grounds.target())),
                    new NoMemory(),
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    options);
        }

        void begin() {
            boolean hostileSender = random.nextBoolean();
            int seldom = 3 + random.nextInt(30);
            SessionOptions options = own(random);
            Thread.ofPlatform().daemon().name("trial-" + seed).start(() -> {
                try {
                    sent.complete(send(options, link -> coat(link, hostileSender, seldom), !hostileSender, seldom));
                } catch (Throwable e) {
                    sent.completeExceptionally(e);
                }
            });
        }

        private Link coat(Link link, boolean meddles, int seldom) {
            return meddles ? new Meddler(link, random.nextLong(), seldom, meddled) : link;
        }

        private SessionEnd send(
                SessionOptions options,
                java.util.function.UnaryOperator<Link> ofSender,
                boolean meddlesWithReceiver,
                int seldom)
                throws Exception {
            try (Tree tree = Tree.open(bytes(grounds.source()))) {
                SessionId id = SessionIds.draw();
                SendSession session = new SendSession(
                        tree,
                        new Walker(tree, options.patterns()::excludes)::next,
                        new NoMemory(),
                        options,
                        TUNING,
                        SessionEvents.NONE,
                        new Meter(),
                        id);
                Link first = ofSender.apply(dial(meddlesWithReceiver, seldom));
                Joining.open(
                        id,
                        options.parallel(),
                        () -> ofSender.apply(dial(meddlesWithReceiver, seldom)),
                        session::join,
                        text -> {});
                return session.run(first, new byte[0]);
            }
        }

        private synchronized Link dial(boolean meddles, int seldom) {
            LinkPair pair = MemoryLinks.pair(BOUND);
            Link end = coat(pair.b(), meddles, seldom);
            Thread.ofPlatform().daemon().name("host-" + seed).start(() -> {
                try {
                    host.take(end);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (Throwable e) {
                    received.completeExceptionally(e);
                }
            });
            return pair.a();
        }

        @Override
        public ReceiverHost.Ears begins(Link link, SessionOptions options) {
            return new ReceiverHost.Ears(SessionEvents.NONE, new Meter());
        }

        @Override
        public void ended(Link link, SessionEnd end) {
            received.complete(end);
        }

        @Override
        public void turnedAway(Link link, String why) {
            wasRefused = true;
        }

        void await() throws InterruptedException {
            note("sender ", of(sent));
            // The first link may never have become a session.
            if (!wasRefused || received.isDone()) {
                note("receiver ", of(received));
            }
        }

        private void note(String side, SessionEnd end) {
            String how = switch (end) {
                case SessionEnd.Done done -> "done";
                case SessionEnd.Stopped stopped -> "stopped " + stopped.code();
                case SessionEnd.Broken broken -> "broken";
                case SessionEnd.Fault(Throwable cause) ->
                    throw new IllegalStateException("seed " + seed + ": the " + side + "has a fault", cause);
            };
            ends.merge(side + how, 1, Integer::sum);
        }

        private SessionEnd of(CompletableFuture<SessionEnd> end) throws InterruptedException {
            try {
                return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                throw new IllegalStateException("seed " + seed + ": it hangs: " + stacks(), e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("seed " + seed + ": it broke", e.getCause());
            }
        }

        private static String stacks() {
            StringBuilder text = new StringBuilder();
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (isOfSession(thread) || thread.getName().startsWith("trial-")) {
                    text.append('\n').append(thread.getName()).append(' ').append(List.of(stack));
                }
            });
            return text.toString();
        }

        /// A session without anybody between. On a busy machine it may be silent for longer than these sessions wait.
        private SessionEnd good() throws Exception {
            SessionEnd end = new SessionEnd.Broken("");
            for (int i = 0; i < TRIES && end instanceof SessionEnd.Broken; i++) {
                received = new CompletableFuture<>();
                end = send(SessionOptions.DEFAULT.withDelete(true).withParallel(1), link -> link, false, 1);
                of(received);
            }
            return end;
        }

        /// Nothing is harmed, and the same receiver takes a good session.
        void check() throws IOException, InterruptedException {
            try {
                grounds.check();
                SessionEnd end = good();
                if (!(end instanceof SessionEnd.Done(Frame.Summary summary))) {
                    throw new IllegalStateException("a good session ended with " + end);
                }
                grounds.check();
                if (summary.failed() > 0) {
                    throw new IllegalStateException("a good session had failures: " + summary);
                }
                grounds.checkSame();
            } catch (IllegalStateException e) {
                throw new IllegalStateException("seed " + seed + ": " + e.getMessage(), e);
            } catch (IOException | InterruptedException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("seed " + seed + ": " + e, e);
            }
            grounds.remove();
        }
    }

    private static SessionOptions own(Random random) {
        return SessionOptions.DEFAULT
                .withDelete(true)
                .withChecksum(random.nextInt(4) == 0)
                .withInFlight(random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(100))
                .withParallel(1 + random.nextInt(3));
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
