package postroad.app;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import postroad.sync.peer.Meter;

/// Shows how far a session is: one line that is written over on a terminal, else a line every few seconds.
///
/// Also the one door through which other lines go to the person, so that they do not run into that line. Thread-safe.
final class SyncProgress implements AutoCloseable {
    private static final long TERMINAL_MILLIS = 250;
    private static final long PLAIN_MILLIS = 5_000;
    private static final long RATE_NANOS = 5_000_000_000L;

    private final Console console;
    private final StatusLine status;
    private final String verb;
    private final boolean quiet;
    private final ArrayDeque<long[]> samples = new ArrayDeque<>();
    private final StrayLog strays = new StrayLog(this::say, System::nanoTime);
    private ScheduledExecutorService clock;
    private Meter meter;
    private String waits = "";
    private String last = "";

    /// @param quiet whether only what is said is shown
    SyncProgress(Console console, String verb, boolean quiet) {
        this.console = console;
        this.status = new StatusLine(console);
        this.verb = verb;
        this.quiet = quiet;
    }

    /// Shows what `meter` counts from here on.
    ///
    /// @param waits what goes on before the session does
    synchronized void begin(Meter shown, String waits) {
        this.meter = shown;
        this.waits = waits;
        samples.clear();
        samples.add(new long[] {System.nanoTime(), 0});
        if (clock == null && !quiet) {
            long millis = console.errIsTerminal() ? TERMINAL_MILLIS : PLAIN_MILLIS;
            clock = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("progress").factory());
            var _ = clock.scheduleAtFixedRate(this::show, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    /// Shows nothing more until the next [#begin].
    synchronized void pause() {
        meter = null;
        status.clear();
    }

    /// Says something to the person.
    void say(String text) {
        around(() -> console.say(verb + ": " + text));
    }

    /// Says why a connection was turned away, if not too much of that was said just now.
    void stray(String text) {
        strays.say(text);
    }

    /// Says something without the verb before it, so that it can be pasted.
    void plain(String text) {
        around(() -> console.say(text));
    }

    /// Has lines printed that the progress line must not run into.
    synchronized void around(Runnable print) {
        status.clear();
        print.run();
    }

    private synchronized void show() {
        if (meter == null) {
            return;
        }
        String line = line(System.nanoTime());
        // Where lines stay, one that says the same again says nothing.
        if (console.errIsTerminal() || !line.equals(last)) {
            status.show(line);
        }
        last = line;
    }

    private String line(long now) {
        return verb + ": "
                + switch (meter.phase()) {
                    case CONNECTING -> waits;
                    case SCANNING ->
                        "scanning: " + seen()
                                + moving(now).map(text -> "; " + text).orElse("");
                    case SENDING -> sending(now);
                    case COMMITTING -> "all is here; making the last of it safe on the disk";
                    case DELETING -> "deleting what the sender does not have";
                    case ENDED -> "saying goodbye";
                };
    }

    private String seen() {
        return Amounts.count(meter.entries(), "name", "names") + ", " + Amounts.bytes(meter.entryBytes());
    }

    private Optional<String> moving(long now) {
        double rate = rate(now);
        return meter.wantedFiles() == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %s so far, %s, %s",
                        meter.settledFiles(),
                        Amounts.count(meter.wantedFiles(), "file", "files"),
                        Amounts.bytes(meter.movedBytes()),
                        Amounts.rate(rate)));
    }

    private String sending(long now) {
        long wanted = meter.wantedBytes();
        long done = meter.movedBytes();
        double rate = rate(now);
        if (meter.wantedFiles() == 0) {
            return "comparing " + seen();
        }
        if (meter.settledFiles() == meter.wantedFiles()) {
            return "all files are safe; finishing";
        }
        if (done >= wanted) {
            return "everything is on its way; waiting until it is safe on the disk: "
                    + Amounts.count(meter.wantedFiles() - meter.settledFiles(), "file", "files") + " left";
        }
        // Rounded down: 100 % is said of nothing that is not done.
        String left = rate > 1 ? ", " + Amounts.duration((long) Math.ceil((wanted - done) / rate)) + " left" : "";
        return String.format(
                Locale.ROOT,
                "%d %%, %,d of %s, %s of %s, %s%s",
                (int) (100.0 * done / wanted),
                meter.settledFiles(),
                Amounts.count(meter.wantedFiles(), "file", "files"),
                Amounts.bytes(done),
                Amounts.bytes(wanted),
                Amounts.rate(rate),
                left);
    }

    /// Bytes a second over the last seconds.
    private double rate(long now) {
        samples.addLast(new long[] {now, meter.movedBytes()});
        while (samples.size() > 2 && now - samples.getFirst()[0] > RATE_NANOS) {
            samples.removeFirst();
        }
        long[] first = samples.getFirst();
        return now == first[0] ? 0 : Math.max(0, (meter.movedBytes() - first[1]) * 1e9 / (now - first[0]));
    }

    @Override
    public void close() {
        pause();
        ScheduledExecutorService ended;
        synchronized (this) {
            ended = clock;
            clock = null;
        }
        if (ended != null) {
            ended.shutdownNow();
        }
    }
}
