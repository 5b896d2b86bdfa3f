package postroad.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What Linux says of a running process.
///
/// @param residentBytes memory in use now (`VmRSS`)
/// @param anonymousBytes of it, the process's own: heap, buffers, stacks, and no file's pages (`RssAnon`)
/// @param peakBytes most memory in use so far (`VmHWM`)
/// @param threads threads
public record ProcessFigures(long residentBytes, long anonymousBytes, long peakBytes, int threads) {
    /// Reads them.
    public static ProcessFigures of(long pid) throws IOException {
        String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
        return new ProcessFigures(
                number(status, "VmRSS:") << 10, number(status, "RssAnon:") << 10, number(status, "VmHWM:") << 10, (int)
                        number(status, "Threads:"));
    }

    private static long number(String status, String label) {
        return status.lines()
                .filter(line -> line.startsWith(label))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + label + " in the process's status"));
    }
}
