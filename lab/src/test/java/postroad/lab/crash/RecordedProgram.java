package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A small program that saves numbers in a file, well or badly, and says after each that it is safe.
final class RecordedProgram {
    private RecordedProgram() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Files.createDirectories(folder);
        try (FileChannel marks = FileChannel.open(
                Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int i = 1; i <= 20; i++) {
                save(folder, i, List.of(args[2].split(",")));
                marks.write(ByteBuffer.wrap(Integer.toString(i).getBytes(UTF_8)));
            }
        }
    }

    /// The careful way: write a new file, sync it, move it over the old one, sync the folder.
    private static void save(Path folder, int number, List<String> care) throws IOException {
        Path next = folder.resolve("next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(content(number)));
            if (care.contains("file")) {
                channel.force(false);
            }
        }
        Files.move(next, folder.resolve("number"), StandardCopyOption.ATOMIC_MOVE);
        if (care.contains("folder")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /// Four sectors that say the same.
    static byte[] content(int number) {
        return String.format("%512d", number).repeat(4).getBytes(UTF_8);
    }
}
