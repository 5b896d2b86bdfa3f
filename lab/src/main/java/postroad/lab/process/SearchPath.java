package postroad.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Where the system looks for programs: `$PATH`.
public final class SearchPath {
    private SearchPath() {}

    /// Whether it has a program of this name.
    public static boolean has(String name) {
        return find(name).isPresent();
    }

    /// The first program of this name.
    public static Optional<Path> find(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .map(folder -> Path.of(folder, name).toAbsolutePath())
                .filter(Files::isExecutable)
                .findFirst();
    }
}
