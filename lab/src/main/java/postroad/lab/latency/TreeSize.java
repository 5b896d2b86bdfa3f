package postroad.lab.latency;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// How large a tree is.
record TreeSize(int files, long bytes) {
    static TreeSize of(Path root) throws IOException {
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
