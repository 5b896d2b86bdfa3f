package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Something else that a relay is busy with while a connection asks. Ending it fails if it failed.
final class Disturbance implements AutoCloseable {
    private static final byte[] EOSE = "[\"EOSE\",\"s\"".getBytes(US_ASCII);
    private static final byte[] ROW = "[\"EVENT\",\"s\"".getBytes(US_ASCII);
    private static final byte[] OK = "[\"OK\",".getBytes(US_ASCII);
    private static final int LARGEST_PAGE = 5_000;
    private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(2);

    private final CompletableFuture<Long> work = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean ending;

    private interface Work {
        long run(Disturbance self) throws IOException, InterruptedException;
    }

    private Disturbance(Work body) {
        thread = Thread.ofPlatform().daemon().unstarted(() -> {
            try {
                work.complete(body.run(this));
            } catch (IOException | InterruptedException | RuntimeException e) {
                work.completeExceptionally(e);
            }
        });
    }

    /// Reads the whole store, page after page of as many rows as are given, again and again.
    static Disturbance scan(Target target) throws IOException {
        LeanClient client = LeanClient.open(target.address());
        return new Disturbance(self -> {
                    try (client) {
                        long rows = 0;
                        String until = "";
                        while (!self.ending) {
                            client.send(
                                    LeanClient.frame("[\"REQ\",\"s\",{" + until + "\"limit\":" + LARGEST_PAGE + "}]"));
                            Page page = page(client);
                            rows += page.rows;
                            until = page.rows < 2 || page.isOneSecond ? "" : "\"until\":" + page.last + ",";
                        }
                        return rows;
                    }
                })
                .start();
    }

    /// Publishes frames at an even rate until they are used up; what it counts are the OKs.
    static Disturbance ingest(Target target, List<byte[]> frames, double perSecond) throws IOException {
        LeanClient client = LeanClient.open(target.address());
        return new Disturbance(self -> {
                    try (client) {
                        return publish(self, client, frames, perSecond);
                    }
                })
                .start();
    }

    /// Ends it; what it did: rows read, or OKs.
    long end() throws InterruptedException {
        ending = true;
        thread.join();
        return work.join();
    }

    /// Ends it, where [#end] did not.
    @Override
    public void close() {
        ending = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Disturbance start() {
        thread.start();
        return this;
    }

    private record Page(long rows, String last, boolean isOneSecond) {}

    private static Page page(LeanClient client) throws IOException {
        long rows = 0;
        String first = "";
        String last = "";
        while (true) {
            client.read();
            if (client.startsWith(ROW)) {
                rows++;
                // All but the first and the last row are not looked into: reading is the relay's test, not ours.
                if (rows == 1) {
                    first = createdAt(client.text());
                    last = first;
                } else if (!client.hasMore()) {
                    last = createdAt(client.text());
                }
            } else if (client.startsWith(EOSE)) {
                return new Page(rows, last, first.equals(last));
            } else if (client.startsWith("[\"CLOSED\"".getBytes(US_ASCII))) {
                throw new IOException("the relay refused to be read: " + client.text());
            }
        }
    }

    private static String createdAt(String text) {
        int at = text.indexOf("\"created_at\":") + 13;
        int end = at;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return text.substring(at, end);
    }

    private static long publish(Disturbance self, LeanClient client, List<byte[]> frames, double perSecond)
            throws IOException, InterruptedException {
        CompletableFuture<Long> sent = new CompletableFuture<>();
        CompletableFuture<Long> oks = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            try {
                oks.complete(readOks(client, sent));
            } catch (IOException | RuntimeException e) {
                oks.completeExceptionally(e);
            }
        });
        long begin = System.nanoTime();
        int next = 0;
        while (!self.ending && next < frames.size()) {
            double due = (System.nanoTime() - begin) * perSecond / TimeUnit.SECONDS.toNanos(1);
            while (next < Math.min(due, frames.size() - 1)) {
                client.send(frames.get(next));
                next++;
            }
            if (next == frames.size() - 1) {
                break;
            }
            LockSupport.parkNanos(BEAT);
        }
        // The last is kept back until the number is known, so that the reader ends with its OK.
        sent.complete((long) next + 1);
        client.send(frames.getLast());
        reader.join();
        return oks.join();
    }

    private static long readOks(LeanClient client, CompletableFuture<Long> sent) throws IOException {
        long oks = 0;
        while (oks < sent.getNow(Long.MAX_VALUE)) {
            client.read();
            if (client.startsWith(OK)) {
                oks++;
            }
        }
        return oks;
    }
}
