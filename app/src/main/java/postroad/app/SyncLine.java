package postroad.app;

import java.util.Locale;
import postroad.sync.peer.Meter;

/// The words for how far a session is, made of what its meter says from one moment to the next.
/// Owned by whoever guards its calls.
///
/// The rate is of content that travels: what is found at the receiver already has moved at once, and
/// would make it leap. A time left is only said when it is known what has to travel.
final class SyncLine {
    /// What is not compared yet may be one part in so many of what is left, when a time is said.
    private static final long KNOWN_ENOUGH = 10;

    private final Speed travel = new Speed();
    private final Speed copy = new Speed();
    private final String waits;
    private final boolean sends;

    /// @param waits what goes on before the session does; empty for nothing
    /// @param sends whether this is the sender's side
    SyncLine(String waits, boolean sends) {
        this.waits = waits.isEmpty() ? "the session begins" : waits;
        this.sends = sends;
    }

    /// What is to be said of `at`, which was read at the time `now`.
    String of(Meter.Reading at, long now) {
        measure(at, now);
        return switch (at.phase()) {
            case CONNECTING -> waits;
            case SCANNING -> "scanning: " + seen(at) + (at.wantedFiles() == 0 ? "" : "; " + soFar(at));
            case SENDING -> sending(at);
            case COMMITTING -> "all is here; making the last of it safe on the disk";
            case DELETING -> "deleting what the sender does not have";
            case ENDED -> "saying goodbye";
        };
    }

    /// Where there is nothing to travel or to copy yet, the wait is no part of the measure.
    private void measure(Meter.Reading at, long now) {
        boolean waits = at.wantedFiles() == at.settledFiles() || at.comparing().files() > 0;
        travel.measure(at.contentBytes(), now, waits);
        copy.measure(at.reusedBytes(), now, at.copyingBytes() == 0);
    }

    private static String seen(Meter.Reading at) {
        return Amounts.count(at.entries(), "name", "names") + ", " + Amounts.bytes(at.entryBytes());
    }

    private static String files(Meter.Reading at) {
        return String.format(
                Locale.ROOT, "%,d of %s", at.settledFiles(), Amounts.count(at.wantedFiles(), "file", "files"));
    }

    private String soFar(Meter.Reading at) {
        return files(at) + " so far, " + Amounts.bytes(at.movedBytes()) + travelling(at) + still(at);
    }

    private String sending(Meter.Reading at) {
        long wanted = at.wantedBytes();
        long left = wanted - at.movedBytes();
        if (at.wantedFiles() == 0) {
            return "comparing " + seen(at);
        }
        if (at.settledFiles() == at.wantedFiles()) {
            return "all files are safe; finishing";
        }
        if (left <= 0) {
            return moved(at);
        }
        if (at.movedBytes() == 0 && at.comparing().files() > 0 && !travel.moves()) {
            return "comparing " + Amounts.count(at.comparing().files(), "file", "files")
                    + (sends ? " with what is there: " : " with what is here: ") + compared(at.comparing());
        }
        // Rounded down: 100 % is said of nothing that is not done.
        int percent = Math.min(99, (int) (100.0 * at.movedBytes() / wanted));
        String time = at.comparing().bytes() <= left / KNOWN_ENOUGH ? timeLeft(travel, left) : "";
        String moved = Amounts.bytes(at.movedBytes()) + " of " + Amounts.bytes(wanted);
        return percent + " %, " + files(at) + ", " + moved + travelling(at) + (time.isEmpty() ? still(at) : time);
    }

    /// All is under way; what the receiver has to copy yet, only itself knows.
    private String moved(Meter.Reading at) {
        if (at.copyingBytes() > 0) {
            String rate = copy.moves() ? " at " + Amounts.rate(copy.rate()) : "";
            return "all is here; putting it together: " + Amounts.bytes(at.copyingBytes()) + " to copy" + rate
                    + timeLeft(copy, at.copyingBytes());
        }
        return (sends ? "everything is on its way" : "everything is here")
                + "; waiting until it is safe on the disk: "
                + Amounts.count(at.wantedFiles() - at.settledFiles(), "file", "files") + " left";
    }

    /// Nothing, while there is a good reason for nothing to travel.
    private String travelling(Meter.Reading at) {
        boolean waits = at.comparing().files() > 0 || at.copyingBytes() > 0;
        return !travel.moves() && waits ? "" : ", " + Amounts.rate(travel.rate());
    }

    private static String timeLeft(Speed speed, long left) {
        return speed.tells() ? ", " + Amounts.duration((long) Math.ceil(left / speed.rate())) + " left" : "";
    }

    /// Work of which nobody sees content travel.
    private String still(Meter.Reading at) {
        if (at.comparing().files() > 0) {
            return "; comparing "
                    + (travel.moves() ? Amounts.bytes(at.comparing().bytes()) : compared(at.comparing()));
        }
        return at.copyingBytes() > 0 ? "; copying " + Amounts.bytes(at.copyingBytes()) : "";
    }

    /// When the sender has read all, the receiver reads.
    private String compared(Meter.Comparing at) {
        if (sends && at.read() >= at.bytes()) {
            return Amounts.bytes(at.bytes()) + ", all read here";
        }
        return Amounts.bytes(at.bytes()) + (at.read() > 0 ? ", " + Amounts.bytes(at.read()) + " read" : "");
    }
}
