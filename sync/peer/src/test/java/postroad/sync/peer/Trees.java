package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import postroad.common.Sha256;

/// Seeded trees, and two trees compared in every respect that a session keeps.
final class Trees {
    private Trees() {}

    /// Every name below `root` with its kind, mode, time, target and content.
    static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            all.filter(each -> !each.equals(root))
                    .forEach(each -> found.put(root.relativize(each).toString(), describeOne(each)));
        }
        return found;
    }

    private static String describeOne(Path path) {
        try {
            String time = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .toString();
            if (Files.isSymbolicLink(path)) {
                return "link to " + Files.readSymbolicLink(path) + " of " + time;
            }
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
            return mode + " " + time + (Files.isDirectory(path) ? " folder" : " " + hash(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(Path path) throws IOException {
        byte[] content = Files.readAllBytes(path);
        return content.length + " " + HexFormat.of().formatHex(Sha256.of(content));
    }

    /// Fails unless both trees are the same.
    static void assertSame(Path one, Path other) throws IOException {
        assertThat(describe(other)).isEqualTo(describe(one));
    }

    /// A tree of a few folders with small and some larger files, links and empty files.
    static void fill(Path root, long seed, int files) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(root);
        Files.createDirectory(root.resolve("empty"));
        for (int i = 0; i < files; i++) {
            Path folder = root.resolve("d" + random.nextInt(5)).resolve("e" + random.nextInt(3));
            Files.createDirectories(folder);
            Path file = folder.resolve("f" + i);
            switch (random.nextInt(12)) {
                case 0 -> Files.createFile(file);
                case 1 -> Files.createSymbolicLink(file, Path.of("../e0/f" + random.nextInt(files)));
                case 2 -> write(file, random, 150_000 + random.nextInt(3_000_000));
                default -> write(file, random, 1 + random.nextInt(20_000));
            }
        }
    }

    private static void write(Path file, Random random, int size) throws IOException {
        Files.write(file, bytes(random, size));
        if (random.nextInt(5) == 0) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
        }
    }

    /// Half noise, half text, so that some blocks are worth compressing.
    static byte[] bytes(Random random, int size) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        if (random.nextBoolean()) {
            for (int i = 0; i < size; i++) {
                content[i] = (byte) ("the quick brown fox ".charAt(i % 20) + (i / 7919 % 3));
            }
        }
        return content;
    }

    /// Changes a tree a little everywhere: contents, modes, times, kinds, names; some go, some come.
    static void change(Path root, long seed) throws IOException {
        Random random = new Random(seed);
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted().toList()) {
                if (!each.equals(root) && Files.exists(each, LinkOption.NOFOLLOW_LINKS)) {
                    changeOne(each, random);
                }
            }
        }
    }

    private static void changeOne(Path path, Random random) throws IOException {
        boolean plain = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        int draw = random.nextInt(14);
        if (!plain) {
            if (draw == 0 && Files.isSymbolicLink(path)) {
                Files.delete(path);
                Files.createDirectory(path);
                Files.write(path.resolve("in"), bytes(random, 100));
            }
            return;
        }
        switch (draw) {
            case 0 -> Files.delete(path);
            case 1 -> Files.move(path, path.resolveSibling(path.getFileName() + "-moved" + random.nextInt()));
            case 2 -> Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            case 3 -> Files.setLastModifiedTime(path, FileTime.fromMillis(random.nextInt()));
            case 4 -> edit(path, random);
            case 5 -> {
                Files.delete(path);
                Files.createDirectory(path);
                Files.write(path.resolve("in"), bytes(random, 5000));
            }
            case 6 -> {
                Files.delete(path);
                Files.createSymbolicLink(path, Path.of("gone"));
            }
            case 7 -> Files.copy(path, path.resolveSibling(path.getFileName() + "-copy" + random.nextInt()));
            default -> {}
        }
    }

    private static void edit(Path path, Random random) throws IOException {
        byte[] old = Files.readAllBytes(path);
        byte[] added = bytes(random, 1 + random.nextInt(3000));
        int at = random.nextInt(old.length + 1);
        byte[] changed = new byte[old.length + added.length];
        System.arraycopy(old, 0, changed, 0, at);
        System.arraycopy(added, 0, changed, at, added.length);
        System.arraycopy(old, at, changed, at + added.length, old.length - at);
        Files.write(path, changed);
    }
}
