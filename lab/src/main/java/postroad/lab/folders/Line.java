package postroad.lab.folders;

import java.util.Locale;

/// A link between the two ends.
///
/// @param rttMillis its round trip; 0 for the loopback
/// @param lossPercent of its packets, each way
/// @param megabits a second, each way; 0 for no limit
/// @param congestion the congestion control that both ends have
/// @param systemBuffers whether sockets have the kernel's own bounds for their buffers instead of
///     wide ones
public record Line(int rttMillis, double lossPercent, int megabits, String congestion, boolean systemBuffers) {
    /// The loopback as it is.
    public static final Line LOOPBACK = new Line(0, 0, 0, "", true);

    /// The same with another round trip.
    Line atRtt(int millis) {
        return new Line(millis, lossPercent, megabits, congestion, systemBuffers);
    }

    @Override
    public String toString() {
        if (rttMillis == 0) {
            return "loopback";
        }
        return String.format(
                Locale.ROOT,
                "%d ms, %s, loss %s %%, %s, buffers %s",
                rttMillis,
                megabits == 0 ? "no rate limit" : megabits + " Mbit/s",
                lossPercent == 0 ? "0" : Double.toString(lossPercent),
                congestion,
                systemBuffers ? "of the kernel's own bounds" : "up to 64 MB");
    }
}
