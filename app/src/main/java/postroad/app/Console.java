package postroad.app;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Where a command reads and writes, and in which environment.
///
/// @param err talk and progress
/// @param inIsTerminal whether a person types the input
/// @param errIsTerminal whether a person watches the progress
record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        boolean inIsTerminal,
        boolean errIsTerminal) {

    /// The process's own: UTF-8 whatever the locale says, because events are.
    static Console ofProcess() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                stream(FileDescriptor.out, 64 << 10, false),
                stream(FileDescriptor.err, 1 << 10, true),
                System.getenv(),
                isTerminal(0),
                isTerminal(2));
    }

    /// Standard error is flushed line by line; answers go out when the buffer is full, the verb says so, or it ends.
    private static PrintStream stream(FileDescriptor descriptor, int buffer, boolean byLine) {
        var out = new java.io.BufferedOutputStream(new FileOutputStream(descriptor), buffer);
        return new PrintStream(out, byLine, StandardCharsets.UTF_8);
    }

    /// Whether a descriptor is a terminal. Where the system does not show it under `/proc` or `/dev/fd`, no.
    private static boolean isTerminal(int descriptor) {
        Path name = Path.of("/proc/self/fd/" + descriptor);
        try {
            String target = Files.readSymbolicLink(name).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /// Says something to the person at the keyboard.
    void say(String line) {
        err.println(line);
    }
}
