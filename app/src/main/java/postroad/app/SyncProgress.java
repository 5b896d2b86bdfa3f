package postroad.app;

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

    private final Console console;
    private final StatusLine status;
    private final String verb;
    private final boolean quiet;
    private final StrayLog strays = new StrayLog(this::say, System::nanoTime);
    private ScheduledExecutorService clock;
    private Meter meter;
    private SyncLine words;
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
        this.words = new SyncLine(waits, verb.equals("send"));
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
        String line = verb + ": " + words.of(meter.read(), System.nanoTime());
        // Where lines stay, one that says the same again says nothing.
        if (console.errIsTerminal() || !line.equals(last)) {
            status.show(line);
        }
        last = line;
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
