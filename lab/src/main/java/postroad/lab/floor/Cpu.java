package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// Processor time of other processes, from `/proc`.
///
/// The scheduler's own counters are read, in nanoseconds: those of `stat` have steps of 10 ms.
final class Cpu {
    private Cpu() {}

    /// Nanoseconds that all threads of a process have run so far.
    static long nanos(long pid) throws IOException {
        return byThread(pid).values().stream().mapToLong(Long::longValue).sum();
    }

    /// The same by the threads' names, numbers at their end left out.
    static Map<String, Long> byThread(long pid) throws IOException {
        Map<String, Long> times = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                try {
                    String name = Files.readString(thread.resolve("comm"), US_ASCII)
                            .strip()
                            .replaceAll("[-#0-9]+$", "");
                    String ran = Files.readString(thread.resolve("schedstat"), US_ASCII)
                            .split(" ", -1)[0];
                    times.merge(name, Long.parseLong(ran), Long::sum);
                } catch (IOException gone) {
                    // It ended between the list and the look.
                    times.merge("ended", 0L, Long::sum);
                }
            }
        }
        return times;
    }

    /// Page faults of a process so far that had to wait for the disk.
    static long majorFaults(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), US_ASCII);
        // The name, in brackets, may hold spaces; the twelfth field counts them.
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[9]);
    }

    /// The process that listens on a TCP port of this machine; empty when it cannot be seen from here.
    static OptionalLong listener(int port) throws IOException {
        String inode = "";
        for (String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
            if (Files.exists(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table), US_ASCII)) {
                    String[] fields = line.strip().split("\\s+", -1);
                    if (fields.length > 9
                            && fields[3].equals("0A")
                            && fields[1].endsWith(String.format(":%04X", port))) {
                        inode = "socket:[" + fields[9] + "]";
                    }
                }
            }
        }
        return inode.isEmpty() ? OptionalLong.empty() : owner(inode);
    }

    private static OptionalLong owner(String socket) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (holds(process, socket)) {
                    return OptionalLong.of(Long.parseLong(process.getFileName().toString()));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static boolean holds(Path process, String socket) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (Files.isSymbolicLink(file)
                        && Files.readSymbolicLink(file).toString().equals(socket)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }
}
