package postroad.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A folder for one run, gone when closed.
public final class Scratch implements AutoCloseable {
    private final Path folder;

    private Scratch(Path folder) {
        this.folder = folder;
    }

    /// Makes one in the system's place for temporary files.
    public static Scratch make() throws IOException {
        return new Scratch(Files.createTempDirectory("postroad-lab-"));
    }

    /// Makes one inside `parent`.
    public static Scratch in(Path parent) throws IOException {
        return new Scratch(Files.createTempDirectory(parent, "postroad-lab-"));
    }

    /// Where it is.
    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
