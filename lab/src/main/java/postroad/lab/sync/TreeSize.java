package postroad.lab.sync;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// How large a tree is.
public record TreeSize(int files, long bytes) {
    /// Looks at every file below `root`.
    public static TreeSize of(Path root) throws IOException {
        int files = 0;
        long bytes = 0;
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                if (Files.isRegularFile(each)) {
                    files++;
                    bytes += Files.size(each);
                }
            }
        }
        return new TreeSize(files, bytes);
    }
}
