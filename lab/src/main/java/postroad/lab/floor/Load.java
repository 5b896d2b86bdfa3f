package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Several connections, each with a thread of its own, that ask as fast as answers come.
final class Load {
    private Load() {}

    /// What came of it.
    ///
    /// @param cpuMicros processor time of the relay for each answer; 0 when it cannot be seen
    record Outcome(double perSecond, double cpuMicros) {}

    /// Asks one target for `nanos`.
    static Outcome run(Grid grid, String row, Target target, List<Ask> asks, int connections, long nanos)
            throws IOException, InterruptedException {
        List<LeanClient> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            for (int i = 0; i < connections; i++) {
                LeanClient client = LeanClient.open(target.address());
                clients.add(client);
                asks.getFirst().time(client);
            }
            long cpu = target.cpuNanos();
            long begin = System.nanoTime();
            List<Callable<List<Long>>> tasks = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                LeanClient client = clients.get(i);
                int first = i * asks.size() / connections;
                tasks.add(() -> ask(client, asks, first, begin + nanos));
            }
            long answers = 0;
            for (Future<List<Long>> times : threads.invokeAll(tasks)) {
                for (long time : times.get()) {
                    grid.record(row, target.name(), time);
                    answers++;
                }
            }
            double took = System.nanoTime() - begin;
            return new Outcome(
                    answers * TimeUnit.SECONDS.toNanos(1) / took, (target.cpuNanos() - cpu) / 1000.0 / answers);
        } catch (ExecutionException e) {
            throw new IOException("a connection under load failed", e);
        } finally {
            for (LeanClient client : clients) {
                client.close();
            }
        }
    }

    private static List<Long> ask(LeanClient client, List<Ask> asks, int first, long end) throws IOException {
        List<Long> times = new ArrayList<>();
        for (int i = first; System.nanoTime() < end; i++) {
            times.add(asks.get(i % asks.size()).time(client));
        }
        return times;
    }
}
