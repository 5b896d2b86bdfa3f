package postroad.app;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// Shows how far a long command is: one line that is written over on a terminal, else a line every few seconds.
///
/// May be told from several threads.
final class Progress {
    private static final long TERMINAL_NANOS = 250_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;

    private final Console console;
    private final StatusLine status;
    private final String verb;
    private final OptionalLong totalBytes;
    private final LongSupplier bytes;
    private final LongSupplier nanoTime;
    private final long begun;
    private long shown;

    /// @param totalBytes how many bytes there are to read, where that is known
    /// @param bytes how many of them are read
    Progress(Console console, String verb, OptionalLong totalBytes, LongSupplier bytes) {
        this(console, verb, totalBytes, bytes, System::nanoTime);
    }

    /// The same with another clock.
    Progress(Console console, String verb, OptionalLong totalBytes, LongSupplier bytes, LongSupplier nanoTime) {
        this.console = console;
        this.status = new StatusLine(console);
        this.verb = verb;
        this.totalBytes = totalBytes;
        this.bytes = bytes;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
        this.shown = begun;
    }

    /// Tells how many events there were so far; `more` is shown behind them.
    synchronized void at(long events, String more) {
        long now = nanoTime.getAsLong();
        if (now - shown < (console.errIsTerminal() ? TERMINAL_NANOS : PLAIN_NANOS)) {
            return;
        }
        shown = now;
        status.show(line(events, more, now));
    }

    /// Clears the line, so that what follows begins on a fresh one.
    synchronized void end() {
        status.clear();
    }

    /// Seconds since the beginning.
    double seconds() {
        return Math.max(1e-9, (nanoTime.getAsLong() - begun) / 1e9);
    }

    private String line(long events, String more, long now) {
        double seconds = (now - begun) / 1e9;
        String text = String.format(Locale.ROOT, "%s: %,d events, %,.0f/s%s", verb, events, events / seconds, more);
        if (totalBytes.isEmpty() || totalBytes.getAsLong() == 0) {
            return text;
        }
        double part = Math.min(1, (double) bytes.getAsLong() / totalBytes.getAsLong());
        String left = part > 0.01 ? ", " + duration((long) (seconds / part - seconds)) + " left" : "";
        return text + String.format(Locale.ROOT, ", %.0f %%", 100 * part) + left;
    }

    private static String duration(long seconds) {
        if (seconds < 100) {
            return seconds + " s";
        }
        return seconds < 6000 ? seconds / 60 + " min" : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }
}
