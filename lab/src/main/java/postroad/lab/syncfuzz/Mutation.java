package postroad.lab.syncfuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Outcome;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.TreePath;
import postroad.sync.core.WantedFile;
import postroad.sync.core.Window;

/// Changes frames: their bytes without understanding, or what they say so that they still are frames. Seeded.
final class Mutation {
    private static final List<String> EVIL = List.of(
            "..",
            "/etc/evil",
            "a/../../evil",
            "door/evil",
            ".postroad/evil",
            ".postroad",
            "door",
            "./x",
            "a//b",
            "a\0b");

    private final Random random;

    Mutation(Random random) {
        this.random = random;
    }

    /// A frame in the place of `frame`.
    byte[] of(byte[] frame) {
        return switch (random.nextInt(4)) {
            case 0 -> flipped(frame);
            case 1 -> evilNames(frame);
            default -> said(frame);
        };
    }

    private byte[] flipped(byte[] frame) {
        byte[] changed = frame.clone();
        int first = random.nextInt(5) == 0 ? 0 : Math.min(FrameCodec.HEADER, frame.length - 1);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            changed[first + random.nextInt(changed.length - first)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    /// Names that the codec would never write, put over what is there.
    private byte[] evilNames(byte[] frame) {
        byte[] evil = EVIL.get(random.nextInt(EVIL.size())).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        byte[] changed = frame.clone();
        if (changed.length > FrameCodec.HEADER + evil.length + 4) {
            int at = FrameCodec.HEADER + 2 + random.nextInt(changed.length - FrameCodec.HEADER - evil.length - 2);
            changed[at - 1] = (byte) evil.length;
            System.arraycopy(evil, 0, changed, at, evil.length);
        }
        return changed;
    }

    private byte[] said(byte[] frame) {
        try {
            Frame decoded = FrameCodec.decode(Byte.toUnsignedInt(frame[0]), frame, FrameCodec.HEADER, frame.length);
            return FrameCodec.encode(changed(decoded));
        } catch (ProtocolException | IllegalArgumentException e) {
            // Such a frame cannot be said in order; then the bytes.
            return flipped(frame);
        }
    }

    private Frame changed(Frame frame) {
        return switch (frame) {
            case Frame.Entries page -> new Frame.Entries(entries(page.entries()));
            case Frame.PackedEntries page -> packed(page);
            case Frame.EntriesEnd end -> new Frame.EntriesEnd(near(end.count()), random.nextBoolean());
            case Frame.Content content -> content(content);
            case Frame.RecipePart part ->
                new Frame.RecipePart(
                        near(part.id()),
                        attempt(part.attempt()),
                        (int) near(part.firstChunk()),
                        part.chunks(),
                        end(part.end()));
            case Frame.Want want ->
                new Frame.Want(want.files().stream().map(this::wanted).toList());
            case Frame.Missing missing ->
                new Frame.Missing(near(missing.id()), attempt(missing.attempt()), ranges(missing.ranges()));
            case Frame.Done done ->
                new Frame.Done(done.outcomes().stream()
                        .map(each -> new Outcome(near(each.id()), random.nextInt(Outcome.ALL + 1)))
                        .toList());
            case Frame.Failed failed -> new Frame.Failed(near(failed.id()), failed.path(), failed.code(), "changed");
            case Frame.Summary summary -> new Frame.Summary(near(summary.files()), 0, 0, 0, 0, 9, true);
            case Frame.Credit(Window window, long bytes) -> new Frame.Credit(window(), near(bytes));
            case Frame.Blocked blocked -> new Frame.Blocked(window());
            case Frame.Hello hello ->
                new Frame.Hello(
                        hello.version(),
                        hello.leastVersion(),
                        hello.session(),
                        hello.role(),
                        1 + random.nextInt(16),
                        hello.options()
                                .withInFlight(1 + random.nextInt(SessionOptions.MAX_IN_FLIGHT))
                                .withDelete(random.nextBoolean())
                                .withDryRun(random.nextInt(4) == 0),
                        hello.software(),
                        hello.proof());
            case Frame.Join _,
                    Frame.Stop _,
                    Frame.Deleted _,
                    Frame.Bye _,
                    Frame.Ping _,
                    Frame.Pong _,
                    Frame.Unknown _ -> any();
        };
    }

    /// Some frame out of nowhere.
    Frame any() {
        long id = random.nextInt(60);
        byte[] data = new byte[1 + random.nextInt(5000)];
        return switch (random.nextInt(17)) {
            case 0 -> new Frame.Ping(id);
            case 1 -> new Frame.Bye();
            case 2 -> new Frame.Blocked(window());
            case 3 -> new Frame.Credit(window(), 1 + random.nextInt(1 << 22));
            case 4 -> new Frame.Want(List.of(new WantedFile(id, random.nextBoolean(), random.nextInt(3) - 1)));
            case 5 -> new Frame.Done(List.of(new Outcome(id, random.nextInt(Outcome.ALL + 1))));
            case 6 -> new Frame.Failed(id - 1, "x", FailureCode.CHANGED, "no");
            case 7 -> new Frame.Missing(id, 0, List.of(new ChunkRange(random.nextInt(9), 1 + random.nextInt(9))));
            case 8 -> new Frame.Summary(0, 0, 0, 0, 0, 0, false);
            case 9 -> new Frame.EntriesEnd(id, true);
            case 10 -> new Frame.Entries(List.of(entry("zz" + id, Kind.FILE, data.length)));
            case 11 -> new Frame.Stop(StopCode.OTHER, "out of nowhere");
            case 12 -> Samples.compressed(id, random);
            case 15 -> Samples.packed(random);
            case 13, 14 ->
                Samples.content(
                        new Segment(
                                id,
                                random.nextInt(3),
                                postroad.sync.core.ChunkClass.SMALL,
                                random.nextInt(9000),
                                new int[] {data.length},
                                Optional.empty()),
                        data);
            default -> new Frame.Pong(id);
        };
    }

    /// Another count or length than is in it, or a bomb.
    private Frame packed(Frame.PackedEntries page) {
        return switch (random.nextInt(3)) {
            case 0 -> new Frame.PackedEntries((int) near(page.count()), page.rawLength(), page.data());
            case 1 -> new Frame.PackedEntries(page.count(), (int) near(page.rawLength()), page.data());
            default -> Samples.packed(random);
        };
    }

    private List<Entry> entries(List<Entry> entries) {
        List<Entry> changed = new ArrayList<>(entries);
        int at = random.nextInt(Math.max(1, changed.size()));
        switch (random.nextInt(5)) {
            case 0 -> changed.add(at, entry("door", Kind.FOLDER, 0));
            case 1 -> changed.add(at, entry("door/evil", Kind.FILE, random.nextInt(1 << 20)));
            case 2 -> changed.add(at, entry(".postroad", Kind.FOLDER, 0));
            case 3 -> changed.remove(at);
            default -> {
                Entry old = changed.get(at);
                Kind kind = List.of(Kind.FILE, Kind.FOLDER, Kind.LINK).get(random.nextInt(3));
                changed.set(at, entry(old.path().toBytes(), kind, near(old.size())));
            }
        }
        changed.sort((one, other) -> one.path().compareTo(other.path()));
        return changed;
    }

    private Entry entry(String path, Kind kind, long size) {
        return entry(path.getBytes(java.nio.charset.StandardCharsets.UTF_8), kind, size);
    }

    private Entry entry(byte[] path, Kind kind, long size) {
        LinkTarget target = kind == Kind.LINK ? LinkTarget.of(new byte[] {'.', '.', '/', '.', '.'}) : LinkTarget.NONE;
        return new Entry(
                TreePath.of(path),
                kind,
                kind == Kind.FILE ? size : 0,
                random.nextInt(),
                random.nextInt(1_000_000_000),
                random.nextInt(010000),
                target);
    }

    private Frame content(Frame.Content content) {
        List<Segment> segments = new ArrayList<>(content.segments());
        int at = random.nextInt(segments.size());
        Segment old = segments.get(at);
        segments.set(
                at,
                new Segment(
                        near(old.id()),
                        attempt(old.attempt()),
                        old.chunkClass(),
                        old.end().isPresent() ? old.offset() : near(old.offset()),
                        old.chunkLengths(),
                        random.nextBoolean() ? old.end() : end(old.end())));
        if (random.nextInt(3) == 0) {
            segments.add(segments.get(at));
        }
        return new Frame.Content(
                segments,
                content.compressed(),
                content.rawLength(),
                content.buffer(),
                content.offset(),
                content.length());
    }

    private Optional<FileEnd> end(Optional<FileEnd> end) {
        return end.map(each -> new FileEnd(version(each.version()), random.nextBoolean() ? each.root() : zeros(each)));
    }

    /// As announced, or another version with some size.
    private Optional<FileVersion> version(Optional<FileVersion> old) {
        if (random.nextInt(4) == 0) {
            return Optional.empty();
        }
        long size = old.map(FileVersion::size).orElse((long) random.nextInt(5000));
        return Optional.of(new FileVersion(
                random.nextInt(3) == 0 ? near(size) : size,
                random.nextInt(),
                random.nextInt(1_000_000_000),
                random.nextInt(010000)));
    }

    private static RootClaim zeros(FileEnd end) {
        return switch (end.root()) {
            case RootClaim.Head head -> new RootClaim.Head(0);
            case RootClaim.Whole whole -> new RootClaim.Whole(Bytes32.of(new byte[Bytes32.LENGTH], 0));
        };
    }

    private WantedFile wanted(WantedFile old) {
        return random.nextInt(3) > 0
                ? old
                : new WantedFile(near(old.id()), random.nextBoolean(), random.nextInt(17) - 1);
    }

    private List<ChunkRange> ranges(List<ChunkRange> ranges) {
        ChunkRange[] changed = ranges.toArray(new ChunkRange[0]);
        if (changed.length > 0) {
            int last = changed.length - 1;
            changed[last] = new ChunkRange(changed[last].first(), (int) Math.max(1, near(changed[last].count())));
        }
        return Arrays.asList(changed);
    }

    private int attempt(int old) {
        return random.nextInt(3) > 0 ? old : random.nextInt(Segment.MAX_ATTEMPTS);
    }

    private Window window() {
        return List.of(Window.ENTRIES, Window.ANSWERS, Window.CONTENT).get(random.nextInt(3));
    }

    /// Often the number itself, else one next to it, else one far away.
    private long near(long number) {
        return switch (random.nextInt(8)) {
            case 0 -> Math.max(0, number - 1);
            case 1 -> number + 1;
            case 2 -> random.nextInt(100);
            case 3 -> random.nextLong() >>> 1 + random.nextInt(60);
            default -> number;
        };
    }
}
