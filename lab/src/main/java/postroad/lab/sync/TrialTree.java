package postroad.lab.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import postroad.common.Bytes32;
import postroad.common.Sha256;

/// Seeded trees for trials, what is done to them between sessions, and whether two are the same.
public final class TrialTree {
    private static final int PER_FOLDER = 100;

    private TrialTree() {}

    /// Files of a few hundred bytes, a hundred in each folder.
    public static void tiny(Path root, long seed, int files) throws IOException {
        fill(root, seed, files, random -> 100 + random.nextInt(300));
    }

    /// Files of 200 bytes to 12 kB, a hundred in each folder.
    public static void small(Path root, long seed, int files) throws IOException {
        fill(root, seed, files, random -> 200 + random.nextInt(11_800));
    }

    /// The shape of the evaluation of parallel sessions: 6 of 100 files empty, 10 of 20 to 63 MiB,
    /// the rest of 1 to 3 MiB, in 8 folders and one more that is empty.
    public static void mixed(Path root, long seed, int files) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(root.resolve("empty"));
        for (int i = 0; i < files; i++) {
            Path folder = root.resolve("dir" + i % 8);
            Files.createDirectories(folder);
            int draw = random.nextInt(100);
            int mebibytes = draw < 6 ? 0 : draw < 16 ? 20 + random.nextInt(44) : 1 + random.nextInt(3);
            byte[] content = new byte[mebibytes << 20];
            random.nextBytes(content);
            Files.write(folder.resolve("file" + i), content);
        }
    }

    private interface Sizes {
        int next(Random random);
    }

    private static void fill(Path root, long seed, int files, Sizes sizes) throws IOException {
        Random random = new Random(seed);
        Files.createDirectories(root);
        for (int i = 0; i < files; i++) {
            Path folder = root.resolve("dir" + i / PER_FOLDER);
            Files.createDirectories(folder);
            byte[] content = new byte[sizes.next(random)];
            random.nextBytes(content);
            if (i % 2 == 0) {
                for (int at = 0; at < content.length; at++) {
                    content[at] = (byte) ("the same words again ".charAt(at % 21) + at / 977 % 3);
                }
            }
            Files.write(folder.resolve("file" + i), content);
        }
    }

    /// Rewrites a twentieth in the middle of every fourth file, which gets another time and keeps its size; returns how
    /// many bytes that is.
    public static long edit(Path root) throws IOException {
        return edit(files(root));
    }

    /// The same with `files` as all there are.
    public static long edit(List<Path> files) throws IOException {
        long rewritten = 0;
        for (int i = 0; i < files.size(); i += 4) {
            byte[] content = Files.readAllBytes(files.get(i));
            for (int at = content.length / 2; at < content.length / 2 + content.length / 20; at++) {
                content[at] ^= 0x55;
            }
            rewritten += content.length / 20;
            Files.write(files.get(i), content);
            Files.setLastModifiedTime(files.get(i), FileTime.from(Instant.ofEpochSecond(1_700_000_000 + i)));
        }
        return rewritten;
    }

    /// Puts a new file of a twentieth of its size beside every fourth file.
    public static void addBeside(List<Path> files, long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < files.size(); i += 4) {
            byte[] content = new byte[(int) Math.min(Files.size(files.get(i)) / 20, 64 << 20)];
            random.nextBytes(content);
            Files.write(files.get(i).resolveSibling("added" + i), content);
        }
    }

    /// Copies a tree with its modes and times, links as links, to a place where nothing is; by `cp`,
    /// since Java cannot give a link its time.
    public static void copy(Path from, Path to) throws IOException, InterruptedException {
        Process copying = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(copying.getInputStream().readAllBytes(), UTF_8);
        if (copying.waitFor() != 0) {
            throw new IOException("cp -a failed: " + said.strip());
        }
    }

    /// In which way a tree is not as it should be, both as of [#describe]; "equal" when it is.
    public static String difference(Map<String, String> expected, Map<String, String> found) {
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(found.keySet());
        int content = 0;
        int attributes = 0;
        for (String name : names) {
            String[] should = expected.getOrDefault(name, "missing").split(" ", -1);
            String[] is = found.getOrDefault(name, "missing").split(" ", -1);
            if (Arrays.equals(should, is)) {
                continue;
            }
            if (should.length != is.length || !should[should.length - 1].equals(is[is.length - 1])) {
                content++;
            } else {
                attributes++;
            }
        }
        if (content > 0) {
            return content + " names or contents differ";
        }
        return attributes > 0 ? attributes + " modes or times differ" : "equal";
    }

    /// Gives every fourth file another name.
    public static void rename(Path root) throws IOException {
        rename(files(root));
    }

    /// The same with `files` as all there are.
    public static void rename(List<Path> files) throws IOException {
        for (int i = 0; i < files.size(); i += 4) {
            Files.move(files.get(i), files.get(i).resolveSibling("renamed" + i));
        }
    }

    /// Removes `top` and all below it; does nothing when it is not there.
    public static void remove(Path top) throws IOException {
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> paths = Files.walk(top)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    /// Every file below `root`, in the order of the names.
    public static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /// Every name below `root` with its mode, time and content.
    public static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            all.filter(each -> !each.equals(root))
                    .forEach(each -> found.put(root.relativize(each).toString(), describeOne(each)));
        }
        return found;
    }

    /// Mode, time, and content; a folder's content is `/`, a link's where it leads.
    private static String describeOne(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                return "link " + Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS) + " "
                        + Files.readSymbolicLink(path);
            }
            String what = PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " "
                    + Files.getLastModifiedTime(path);
            return what + " " + (Files.isDirectory(path) ? "/" : Bytes32.of(Sha256.of(Files.readAllBytes(path)), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
