package postroad.lab.syncfuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import postroad.common.Sha256;

/// Where one mistreated session runs: a source, a target that has some of it in an older form, and what lies outside
/// and must stay as it is.
final class Grounds {
    private final Path source;
    private final Path target;
    private final Path outside;
    private final Map<String, String> sourceBefore;
    private final Map<String, String> outsideBefore;
    private final Set<String> known = new HashSet<>();

    private Grounds(Path folder, Random random) throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.write(outside.resolve("secret"), "stays".getBytes(StandardCharsets.UTF_8));
        Files.createDirectory(outside.resolve("empty"));
        for (int i = 0; i < 24; i++) {
            Path below = Path.of("d" + i % 3, "e" + i % 2);
            byte[] content = content(random, i == 7 ? 1_500_000 : i % 6 == 0 ? 200_000 + i * 1000 : 1 + i * 300);
            write(source.resolve(below).resolve("f" + i), content);
            if (i % 3 > 0) {
                content[random.nextInt(content.length)]++;
                Path old = target.resolve(below).resolve("f" + i);
                write(old, content);
                Files.setLastModifiedTime(old, FileTime.fromMillis(i));
            }
        }
        write(target.resolve("only here"), content(random, 250_000));
        Files.createSymbolicLink(source.resolve("link"), Path.of("d0/e0"));
        Files.createSymbolicLink(target.resolve("door"), outside);
        Files.createSymbolicLink(target.resolve("d1/door"), outside);
        sourceBefore = describe(source);
        outsideBefore = describe(outside);
        known.addAll(sourceBefore.values());
        known.addAll(describe(target).values());
        known.add(hash(new byte[0]));
    }

    /// Makes new ones in `folder`.
    static Grounds make(Path folder, long seed) throws IOException {
        return new Grounds(Files.createDirectories(folder), new Random(seed));
    }

    private static byte[] content(Random random, int size) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        if (random.nextBoolean()) {
            for (int i = 0; i < size; i++) {
                content[i] &= 3;
            }
        }
        return content;
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    Path source() {
        return source;
    }

    Path target() {
        return target;
    }

    /// Fails when something was touched that may not be, or stands in the target that nobody ever had.
    void check() throws IOException {
        demand(describe(source).equals(sourceBefore), "the source changed");
        demand(describe(outside).equals(outsideBefore), "what lies outside changed: " + describe(outside));
        for (Map.Entry<String, String> each : describe(target).entrySet()) {
            boolean ours = each.getKey().startsWith(".postroad");
            demand(
                    ours || known.contains(each.getValue()) || !each.getValue().startsWith("file"),
                    each.getKey() + " holds what nobody has: " + each.getValue());
        }
    }

    /// Fails unless the target holds all of the source, and nothing of ours.
    void checkSame() throws IOException {
        Map<String, String> there = describe(target);
        demand(!there.containsKey(".postroad"), "the staging folder stays after a good session");
        sourceBefore.forEach((name, what) ->
                demand(what.equals(there.get(name)), name + " is " + there.get(name) + ", not " + what));
    }

    private static void demand(boolean held, String what) {
        if (!held) {
            throw new IllegalStateException(what);
        }
    }

    private static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        List<Path> all;
        try (Stream<Path> paths = Files.walk(root)) {
            all = paths.toList();
        }
        for (Path each : all) {
            if (!each.equals(root)) {
                found.put(root.relativize(each).toString(), describeOne(each));
            }
        }
        return found;
    }

    private static String describeOne(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "link to " + Files.readSymbolicLink(path);
        }
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "folder" : hash(Files.readAllBytes(path));
    }

    private static String hash(byte[] content) {
        return "file " + content.length + " " + HexFormat.of().formatHex(Sha256.of(content));
    }

    /// Removes all of it.
    void remove() throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(source.getParent())) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
