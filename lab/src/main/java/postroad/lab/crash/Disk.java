package postroad.lab.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// What is safe on a disk, and what is not yet, as recorded operations arrive.
///
/// The rules are those POSIX gives, the harsher reading where it leaves room: a sync makes safe what was
/// written to that file before it began; a name is safe after a sync of its folder; everything else may be
/// lost, reordered, or torn between sectors of 512 bytes. Names of one folder change in their order, as
/// journals see to. The lock file of LMDB is the one file that may be mapped for writing: nothing in it
/// outlives the machine.
public final class Disk {
    private static final int SECTOR = 512;
    private static final String LOCK_FILE = "lock.mdb";

    private final Map<Integer, Content> contents = new HashMap<>();
    private final Map<Integer, String> folders = new HashMap<>();
    private final NavigableMap<String, Entry> names = new TreeMap<>();
    private final List<Renaming> renamings = new ArrayList<>();
    private final Map<String, Integer> current = new HashMap<>();
    private int count;

    /// Takes the next operation.
    ///
    /// @throws IllegalStateException for an effect that was not recorded, so that nothing can be said
    ///     of its file
    public void apply(Operation operation) {
        switch (operation) {
            case Operation.Open open -> opened(open);
            case Operation.Write write -> content(write.file()).pending.add(new Change(count, write, write.synced()));
            case Operation.Truncate cut -> content(cut.file()).pending.add(new Change(count, cut, false));
            case Operation.SyncEnd end -> synced(end);
            case Operation.Rename rename -> renamed(rename);
            case Operation.Remove remove -> {
                current.remove(remove.path());
                renamings.add(new Renaming(count, Optional.of(remove.path()), Optional.empty(), Optional.empty()));
            }
            case Operation.MakeFolder made -> renamings.add(Renaming.arrival(count, made.path(), Entry.FOLDER));
            case Operation.Unseen unseen -> demandLockFile(unseen.file());
            case Operation.SyncBegin ignored -> {}
            case Operation.Mark ignored -> {}
            case Operation.Fault ignored -> {}
        }
        count++;
    }

    /// Lays out in `folder` what a power cut at this moment could leave, while `inFlight` was under way.
    /// Files that are there already are overwritten, so that they stay the same files to the system; what
    /// is too much goes.
    public void layOut(Path folder, Operation inFlight, Loss loss, RandomGenerator random) {
        NavigableMap<String, Entry> surviving = survivingNames(loss, random);
        surviving.keySet().removeIf(name -> !isReachable(name, surviving));
        try {
            Files.createDirectories(folder);
            keepIdentities(folder);
            removeOthers(folder, surviving);
            for (Map.Entry<String, Entry> name : surviving.entrySet()) {
                Path path = folder.resolve(name.getKey());
                if (name.getValue().isFolder()) {
                    Files.createDirectories(path);
                } else {
                    restoreIdentity(folder, path);
                    Content content = contents.getOrDefault(name.getValue().file(), new Content());
                    Optional<Operation> touching =
                            touches(inFlight, name.getValue().file()) ? Optional.of(inFlight) : Optional.empty();
                    Files.write(path, content.survivor(touching, loss, random));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void opened(Operation.Open open) {
        if (open.folder()) {
            folders.put(open.file(), open.path());
            return;
        }
        current.put(open.path(), open.file());
        Content content = content(open.file());
        if (open.created()) {
            renamings.add(Renaming.arrival(count, open.path(), new Entry(open.file(), false)));
        } else if (open.emptied()) {
            content.pending.add(new Change(count, new Operation.Truncate(open.file(), 0), false));
        }
    }

    private void renamed(Operation.Rename rename) {
        Integer file = current.remove(rename.from());
        if (file == null) {
            throw new IllegalStateException(
                    "operation " + count + " moved a folder, which is not understood: " + rename);
        }
        current.put(rename.to(), file);
        renamings.add(new Renaming(
                count, Optional.of(rename.from()), Optional.of(rename.to()), Optional.of(new Entry(file, false))));
    }

    private void synced(Operation.SyncEnd end) {
        String folder = folders.get(end.file());
        if (folder == null) {
            content(end.file()).settle(end.begin());
            return;
        }
        renamings.removeIf(renaming -> {
            boolean safe = renaming.number() < end.begin() && renaming.folder().equals(folder);
            if (safe) {
                renaming.apply(names);
            }
            return safe;
        });
    }

    private void demandLockFile(int file) {
        boolean lockFile = current.entrySet().stream()
                .anyMatch(name ->
                        name.getValue() == file && Path.of(name.getKey()).endsWith(LOCK_FILE));
        if (!lockFile) {
            throw new IllegalStateException("operation " + count + " changed file " + file + " "
                    + current.entrySet().stream()
                            .filter(name -> name.getValue() == file)
                            .toList()
                    + " in a way that is not recorded");
        }
    }

    private NavigableMap<String, Entry> survivingNames(Loss loss, RandomGenerator random) {
        NavigableMap<String, Entry> surviving = new TreeMap<>(names);
        int kept = switch (loss) {
            case EVERYTHING -> 0;
            case NOTHING -> renamings.size();
            case TAIL, ALL_BUT_THE_LAST, WRITES, SECTORS -> random.nextInt(renamings.size() + 1);
        };
        renamings.subList(0, kept).forEach(renaming -> renaming.apply(surviving));
        return surviving;
    }

    /// Whether the folders that a name lies in survived, too.
    private static boolean isReachable(String name, NavigableMap<String, Entry> names) {
        Path parent = Path.of(name).getParent();
        return parent == null || names.containsKey(parent.toString()) && isReachable(parent.toString(), names);
    }

    private static boolean touches(Operation operation, int file) {
        return switch (operation) {
            case Operation.Write write -> write.file() == file;
            case Operation.Truncate cut -> cut.file() == file;
            default -> false;
        };
    }

    /// Files that are there stay the same ones to the system, even when a layout in between had to do without them: a
    /// second link keeps each.
    private static void keepIdentities(Path folder) throws IOException {
        Path links = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-links"));
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                Path link = links.resolve(path.getFileName());
                if (!Files.exists(link)) {
                    Files.createLink(link, path);
                }
            }
        }
    }

    private static void restoreIdentity(Path folder, Path path) throws IOException {
        Path link = folder.resolveSibling(folder.getFileName() + "-links").resolve(path.getFileName());
        if (path.getParent().equals(folder) && Files.exists(link)) {
            Files.deleteIfExists(path);
            Files.createLink(path, link);
        }
    }

    private static void removeOthers(Path folder, NavigableMap<String, Entry> wanted) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> surplus = all.filter(path -> !path.equals(folder))
                    .filter(path -> !wanted.containsKey(folder.relativize(path).toString()))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (Path path : surplus) {
                Files.delete(path);
            }
        }
    }

    private Content content(int file) {
        return contents.computeIfAbsent(file, ignored -> new Content());
    }

    /// What a name stands for.
    private record Entry(int file, boolean isFolder) {
        static final Entry FOLDER = new Entry(0, true);
    }

    /// A change of names that is not safe yet. A new name brings its `entry`, a moved one keeps the one it
    /// had.
    private record Renaming(int number, Optional<String> from, Optional<String> to, Optional<Entry> entry) {
        static Renaming arrival(int number, String name, Entry entry) {
            return new Renaming(number, Optional.empty(), Optional.of(name), Optional.of(entry));
        }

        String folder() {
            Path parent = Path.of(to.or(() -> from).orElseThrow()).getParent();
            return parent == null ? "." : parent.toString();
        }

        void apply(NavigableMap<String, Entry> names) {
            from.ifPresent(names::remove);
            to.ifPresent(name -> names.put(name, entry.orElseThrow()));
        }
    }

    /// A change of one file; a `forced` one is safe, but stands here in its order behind some that are not.
    private record Change(int number, Operation operation, boolean forced) {}

    /// A file: the bytes that are safe, and the changes since.
    private static final class Content {
        private final List<Change> pending = new ArrayList<>();
        private Bytes safe = new Bytes();

        void settle(int before) {
            pending.removeIf(change -> {
                boolean settled = change.number() < before;
                if (settled) {
                    safe.apply(change.operation());
                }
                return settled;
            });
        }

        byte[] survivor(Optional<Operation> inFlight, Loss loss, RandomGenerator random) {
            List<Change> changes = new ArrayList<>(pending);
            inFlight.ifPresent(operation -> changes.add(new Change(Integer.MAX_VALUE, operation, false)));
            Bytes cache = safe.copy();
            Bytes disk = safe.copy();
            int kept = random.nextInt(changes.size() + 1);
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                cache.apply(change.operation());
                boolean last = i == changes.size() - 1;
                if (change.forced() || loss == Loss.NOTHING || loss == Loss.ALL_BUT_THE_LAST && last) {
                    disk.writeBack(cache, change.operation(), sector -> true);
                } else if (loss == Loss.TAIL && i < kept || loss == Loss.WRITES && random.nextBoolean()) {
                    disk.writeBack(cache, change.operation(), sector -> true);
                } else if (loss == Loss.SECTORS) {
                    disk.writeBack(cache, change.operation(), sector -> random.nextBoolean());
                }
            }
            if (loss != Loss.EVERYTHING && random.nextInt(4) == 0) {
                disk.growTo(cache.length);
            }
            return disk.toArray();
        }
    }

    /// A growing array with a length.
    private static final class Bytes {
        private byte[] array = new byte[0];
        private int length;

        Bytes copy() {
            Bytes copy = new Bytes();
            copy.array = array.clone();
            copy.length = length;
            return copy;
        }

        byte[] toArray() {
            return Arrays.copyOf(array, length);
        }

        void apply(Operation operation) {
            switch (operation) {
                case Operation.Write write -> {
                    int at = Math.toIntExact(write.offset());
                    int size = Math.toIntExact(write.data().byteSize());
                    growTo(at + size);
                    MemorySegment.copy(write.data(), ValueLayout.JAVA_BYTE, 0, array, at, size);
                }
                case Operation.Truncate cut -> cutTo(Math.toIntExact(cut.length()));
                default -> throw new IllegalStateException("changes no bytes: " + operation);
            }
        }

        /// Takes from `cache` the sectors that `operation` changed, those that `keep` says.
        void writeBack(Bytes cache, Operation operation, IntPredicate keep) {
            switch (operation) {
                case Operation.Write write -> {
                    int end = Math.toIntExact(write.offset() + write.data().byteSize());
                    for (int at = (int) (write.offset() / SECTOR * SECTOR); at < end; at += SECTOR) {
                        if (keep.test(at / SECTOR)) {
                            int stop = Math.min(at + SECTOR, cache.length);
                            growTo(stop);
                            System.arraycopy(cache.array, at, array, at, stop - at);
                        }
                    }
                }
                case Operation.Truncate cut -> {
                    if (keep.test(0)) {
                        cutTo(Math.toIntExact(cut.length()));
                    }
                }
                default -> throw new IllegalStateException("changes no bytes: " + operation);
            }
        }

        void growTo(int size) {
            if (size > array.length) {
                array = Arrays.copyOf(array, Math.max(size, array.length + array.length / 2));
            }
            length = Math.max(length, size);
        }

        private void cutTo(int size) {
            growTo(size);
            Arrays.fill(array, size, length, (byte) 0);
            length = size;
        }
    }
}
