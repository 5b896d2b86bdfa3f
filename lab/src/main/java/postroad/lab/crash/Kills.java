package postroad.lab.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import postroad.lab.process.Child;
import postroad.lab.process.Node;

/// The trial of a node by `kill -9`: killed at random moments under the load of several writers, and now
/// and then while it starts; started again without any help; and each time what it serves is compared with
/// what it acknowledged.
public final class Kills {
    private static final int WRITERS = 3;
    private static final int ROUNDS_PER_HOME = 25;
    private static final int LONGEST_LIFE_MILLIS = 1_500;
    private static final int FIRST_ANSWER_SECONDS = 30;
    private static final int LONGEST_START_MILLIS = 1_200;

    private final List<String> program;
    private final Path scratch;
    private final Random random;
    private final Consumer<String> talk;
    private final Semaphore answers = new Semaphore(0);
    private Duration slowestStart = Duration.ZERO;
    private int startsKilled;
    private long acknowledged;
    private long unanswered;

    /// @param program the command that takes Postroad's verbs
    /// @param scratch an empty folder for the homes
    /// @param talk told of each round
    public Kills(List<String> program, Path scratch, long seed, Consumer<String> talk) {
        this.program = List.copyOf(program);
        this.scratch = scratch;
        this.random = new Random(seed);
        this.talk = talk;
    }

    /// What was tried.
    ///
    /// @param kills kills under load
    /// @param startsKilled kills of a node that was still starting
    /// @param acknowledged events answered by nodes that were then killed
    /// @param unanswered events found after a kill though nobody had answered for them: allowed
    /// @param slowestStart longest time from the start of a process to its serving, after a kill
    public record Report(int kills, int startsKilled, long acknowledged, long unanswered, Duration slowestStart) {}

    /// Kills `rounds` nodes.
    ///
    /// @throws IllegalStateException when a node lost, tore or invented something, or did not end well
    ///     at last
    public Report run(int rounds) throws IOException, InterruptedException {
        for (int done = 0; done < rounds; done += ROUNDS_PER_HOME) {
            oneHome(scratch.resolve("home-" + done), done, Math.min(ROUNDS_PER_HOME, rounds - done));
        }
        return new Report(rounds, startsKilled, acknowledged, unanswered, slowestStart);
    }

    private void oneHome(Path home, int first, int rounds) throws IOException, InterruptedException {
        List<KillWriter> writers = IntStream.range(0, WRITERS)
                .mapToObj(i -> new KillWriter(random.nextLong(), answers::release))
                .toList();
        for (int i = 0; i < rounds; i++) {
            if (random.nextInt(5) == 0) {
                killWhileStarting(home);
            }
            try (Node node = Node.start(program, home, List.of())) {
                noteStart(node, first + i);
                demandSurvival(writers, node, first + i);
                killUnderLoad(writers, node);
            }
            unanswered +=
                    writers.stream().mapToInt(KillWriter::survivedUnanswered).sum();
            talk.accept("kill " + (first + i + 1) + ": "
                    + writers.stream().mapToInt(KillWriter::acknowledged).sum() + " events acknowledged");
        }
        acknowledged += writers.stream().mapToInt(KillWriter::acknowledged).sum();
        lastLook(writers, home, first + rounds);
    }

    private void killWhileStarting(Path home) throws IOException, InterruptedException {
        try (Child child = Node.launch(program, home, List.of())) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_START_MILLIS));
            child.kill();
            startsKilled++;
        }
    }

    private void killUnderLoad(List<KillWriter> writers, Node node) throws InterruptedException {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        answers.drainPermits();
        for (KillWriter writer : writers) {
            threads.add(Thread.ofVirtual()
                    .uncaughtExceptionHandler((thread, e) -> failures.add(e))
                    .start(() -> writer.writeUntilItBreaks(node.address())));
        }
        // Mostly while events are being answered; on a busy machine that takes a while to begin.
        if (random.nextInt(4) > 0 && !answers.tryAcquire(FIRST_ANSWER_SECONDS, TimeUnit.SECONDS)) {
            failures.add(new IllegalStateException("no answer within " + FIRST_ANSWER_SECONDS + " s"));
        }
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(LONGEST_LIFE_MILLIS));
        node.kill();
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a writer failed before the kill", failures.getFirst());
        }
    }

    private void lastLook(List<KillWriter> writers, Path home, int round) throws IOException, InterruptedException {
        try (Node node = Node.start(program, home, List.of())) {
            noteStart(node, round);
            demandSurvival(writers, node, round);
            int status = node.stop();
            if (status != 0) {
                throw new IllegalStateException(
                        "it ended with status " + status + ": " + node.process().talk());
            }
        }
    }

    private void demandSurvival(List<KillWriter> writers, Node node, int round) throws IOException {
        for (KillWriter writer : writers) {
            try {
                writer.demandSurvival(node.address());
            } catch (IllegalStateException e) {
                throw new IllegalStateException("after kill " + round + ": " + e.getMessage(), e);
            }
        }
    }

    private void noteStart(Node node, int round) {
        if (round > 0 && node.startTime().compareTo(slowestStart) > 0) {
            slowestStart = node.startTime();
        }
    }
}
