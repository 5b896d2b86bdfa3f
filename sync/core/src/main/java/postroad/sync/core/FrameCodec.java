package postroad.sync.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import postroad.common.Bytes32;

/// Frames as bytes and back; `docs/protocol/sync.md` describes them for people.
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | type, see [FrameType] |
/// | 1 | 4 | L, length of the payload, big-endian |
/// | 5 | L | payload |
///
/// Reading is strict: one form for each value, no bytes too many, counts checked against what is left
/// before room is made.
public final class FrameCodec {
    /// The newest version of the protocol that this program speaks.
    public static final int VERSION = 1;
    /// The oldest version that it speaks.
    public static final int LEAST_VERSION = 1;
    /// Bytes before the payload.
    public static final int HEADER = 5;
    /// The most bytes of the chunks of one block, and of its data.
    public static final int MAX_DATA = 4 << 20;
    /// The most bytes of a block's payload before its data.
    public static final int MAX_CONTENT_HEAD = 512 << 10;
    /// The most segments of a block.
    public static final int MAX_SEGMENTS = 4096;
    /// The most files, outcomes, ranges or chunks of a recipe in one frame.
    public static final int MAX_ITEMS = 32_768;
    /// The longest payload of all.
    public static final int MAX_PAYLOAD = MAX_DATA + MAX_CONTENT_HEAD;

    /// The longest payload of a frame that is no block.
    public static final int MAX_SMALL = 1 << 20;

    private static final int MAGIC = 0x50525359;
    private static final int COMPRESSED = 1;
    private static final int FORM_CLASS = 0x03;
    private static final int FORM_START = 0x04;
    private static final int FORM_ONE = 0x08;
    private static final int FORM_END = 0x10;
    private static final int FORM_ANNOUNCED = 0x20;
    private static final int FORM_ATTEMPT = 6;
    private static final int FORM_LIMIT = Segment.MAX_ATTEMPTS << FORM_ATTEMPT;
    private static final int FILE = 1;
    private static final int FOLDER = 2;
    private static final int LINK = 3;
    private static final int LEAST_ENTRY = 8;
    private static final int LEAST_SEGMENT = 3;

    private FrameCodec() {}

    /// The length, when a payload of this type may be that long: to be asked before room is made for
    /// it.
    ///
    /// @throws ProtocolException if it may not, or if this version must know the type and does not
    public static int checkedLength(int type, int length) throws ProtocolException {
        Optional<FrameType> known = FrameType.of(type);
        if (known.isEmpty() && type < FrameType.OPTIONAL) {
            throw new ProtocolException(String.format("a frame has the unknown type 0x%02x", type));
        }
        int limit = known.map(each -> each.maxPayload).orElse(FrameType.MAX_UNKNOWN);
        if (length < 0 || length > limit) {
            String name = known.map(FrameType::name).orElse("an optional frame");
            throw new ProtocolException(name + " has " + Integer.toUnsignedLong(length) + " bytes, more than " + limit);
        }
        return length;
    }

    /// Whether a frame of this type is a block of content, whose payload [#decode] leaves where it is.
    public static boolean isContent(int type) {
        return type == FrameType.CONTENT.number;
    }

    /// Whether a link may begin with a frame of this type.
    public static boolean mayBeFirst(int type) {
        return type == FrameType.HELLO.number || type == FrameType.JOIN.number || type == FrameType.STOP.number;
    }

    /// Whether this version knows the type; it skips an optional one that it does not know.
    public static boolean isKnown(int type) {
        return FrameType.of(type).isPresent();
    }

    /// The bytes of `frame`, header and data included.
    public static byte[] encode(Frame frame) {
        FrameType type = FrameType.of(frame);
        WireWriter out = begin(type, frame instanceof Frame.Content content ? content.length() + 64 : 64);
        switch (frame) {
            case Frame.Hello hello -> writeHello(out, hello);
            case Frame.Join join -> writeJoin(out, join);
            case Frame.Stop stop -> writeStop(out, stop);
            case Frame.Bye _ -> {}
            case Frame.Entries entries -> writeEntries(out, entries);
            case Frame.PackedEntries entries -> writePackedEntries(out, entries);
            case Frame.EntriesEnd end -> writeEntriesEnd(out, end);
            case Frame.Want want -> writeWant(out, want);
            case Frame.Content content -> writeContent(out, content);
            case Frame.RecipePart part -> writeRecipe(out, part);
            case Frame.Missing missing -> writeMissing(out, missing);
            case Frame.Failed failed -> writeFailed(out, failed);
            case Frame.Done done -> writeDone(out, done);
            case Frame.Deleted deleted -> writeDeleted(out, deleted);
            case Frame.Summary summary -> writeSummary(out, summary);
            case Frame.Credit credit -> writeCredit(out, credit);
            case Frame.Blocked blocked -> out.u8(blocked.window().number());
            case Frame.Ping ping -> out.u64(ping.number());
            case Frame.Pong pong -> out.u64(pong.number());
            case Frame.Unknown _ -> throw new IllegalArgumentException("an unknown frame cannot be written");
        }
        return finish(out, type, out.length() - HEADER);
    }

    /// The bytes of a block up to its data, of which `length` bytes follow: so that a writer need not
    /// copy them.
    public static byte[] contentHead(List<Segment> segments, boolean compressed, int rawLength, int length) {
        checkContent(segments, compressed, rawLength, length);
        WireWriter out = begin(FrameType.CONTENT, 64 + 16 * segments.size());
        writeContentHead(out, segments, compressed, rawLength);
        return finish(out, FrameType.CONTENT, out.length() - HEADER + length);
    }

    private static WireWriter begin(FrameType type, int capacity) {
        WireWriter out = new WireWriter(capacity);
        out.u8(type.number);
        out.u32(0);
        return out;
    }

    private static byte[] finish(WireWriter out, FrameType type, int payload) {
        if (payload > type.maxPayload) {
            throw new IllegalArgumentException(type + " has " + payload + " bytes, more than " + type.maxPayload);
        }
        out.setU32(1, payload);
        return out.toArray();
    }

    /// The frame of this type whose payload is `payload[from, to)`; a block's data stays where it is.
    ///
    /// @throws ProtocolException naming the place and the rule that is broken
    public static Frame decode(int type, byte[] payload, int from, int to) throws ProtocolException {
        checkedLength(type, to - from);
        Optional<FrameType> known = FrameType.of(type);
        if (known.isEmpty()) {
            return new Frame.Unknown(type, to - from);
        }
        WireReader in = new WireReader(known.get().name(), payload, from, to);
        Frame frame = decode(known.get(), in, payload);
        in.end();
        return frame;
    }

    private static Frame decode(FrameType type, WireReader in, byte[] payload) throws ProtocolException {
        return switch (type) {
            case HELLO -> readHello(in);
            case JOIN -> readJoin(in);
            case STOP -> readStop(in);
            case BYE -> new Frame.Bye();
            case ENTRIES -> readEntries(in);
            case ENTRIES_END -> new Frame.EntriesEnd(in.number(), in.truth());
            case WANT -> readWant(in);
            case CONTENT -> readContent(in, payload);
            case RECIPE -> readRecipe(in);
            case MISSING -> readMissing(in);
            case FAILED -> readFailed(in);
            case DONE -> readDone(in);
            case DELETED -> readDeleted(in);
            case SUMMARY -> readSummary(in);
            case CREDIT -> readCredit(in);
            case BLOCKED -> new Frame.Blocked(readWindow(in));
            case PING -> new Frame.Ping(in.u64());
            case PONG -> new Frame.Pong(in.u64());
        };
    }

    /// HELLO:
    ///
    /// | length | content |
    /// |---|---|
    /// | 4 | ASCII `PRSY` |
    /// | 2, 2 | newest and oldest version that the side speaks; these eight bytes are the same in every version |
    /// | 16 | session |
    /// | 1 | role: 1 sender, 2 receiver |
    /// | 1 | links |
    /// | text | software |
    /// | sized | proof |
    /// | rest | options, see [OptionsCodec] |
    private static void writeHello(WireWriter out, Frame.Hello hello) {
        out.u32(MAGIC);
        out.u16(hello.version());
        out.u16(hello.leastVersion());
        writeSession(out, hello.session());
        out.u8(hello.role() == Role.SENDER ? 1 : 2);
        out.u8(hello.links());
        out.text(hello.software());
        out.sized(hello.proof());
        OptionsCodec.write(out, hello.options());
    }

    private static Frame.Hello readHello(WireReader in) throws ProtocolException {
        if (in.u32() != MAGIC) {
            throw in.broken("this is no folder sync of postroad");
        }
        int version = in.u16();
        int least = in.u16();
        if (version < LEAST_VERSION || least > VERSION) {
            throw new ProtocolException(
                    StopCode.VERSION,
                    "the protocol's versions " + least + " to " + version + " are spoken there, " + LEAST_VERSION
                            + " to " + VERSION + " here");
        }
        SessionId session = readSession(in);
        Role role = readRole(in);
        int links = in.u8();
        String software = in.text(Texts.MAX_SOFTWARE, "the software");
        byte[] proof = in.sized(Frame.Hello.MAX_PROOF, "a proof");
        SessionOptions options = OptionsCodec.read(in);
        return in.made(() -> new Frame.Hello(version, least, session, role, links, options, software, proof));
    }

    private static Role readRole(WireReader in) throws ProtocolException {
        int role = in.u8();
        if (role != 1 && role != 2) {
            throw in.broken("an unknown role " + role);
        }
        return role == 1 ? Role.SENDER : Role.RECEIVER;
    }

    private static void writeSession(WireWriter out, SessionId session) {
        out.u64(session.high());
        out.u64(session.low());
    }

    private static SessionId readSession(WireReader in) throws ProtocolException {
        return new SessionId(in.u64(), in.u64());
    }

    /// JOIN: session (16), link (u8).
    private static void writeJoin(WireWriter out, Frame.Join join) {
        writeSession(out, join.session());
        out.u8(join.link());
    }

    private static Frame.Join readJoin(WireReader in) throws ProtocolException {
        SessionId session = readSession(in);
        int link = in.u8();
        return in.made(() -> new Frame.Join(session, link));
    }

    /// STOP: code (u8, see [StopCode]), text.
    private static void writeStop(WireWriter out, Frame.Stop stop) {
        out.u8(stop.code().number());
        out.text(stop.text());
    }

    private static Frame.Stop readStop(WireReader in) throws ProtocolException {
        StopCode code = readConstant(in, StopCode.values(), StopCode::number, "code");
        return new Frame.Stop(code, in.text(Texts.MAX_REASON, "a text"));
    }

    /// ENTRIES:
    ///
    /// | length | content |
    /// |---|---|
    /// | 1 | 1 when the entries are one DEFLATE stream, else 0 |
    /// | number | number of entries |
    /// | number | bytes of all entries, when they are compressed |
    /// | rest | the entries |
    ///
    /// An entry:
    ///
    /// | length | content |
    /// |---|---|
    /// | name | see [#writeName]: shortened by what it shares with the one before |
    /// | 1 | kind: 1 file, 2 folder, 3 link |
    /// | number | size, of a file only |
    /// | signed, number, 2 | seconds, nanoseconds, mode |
    /// | sized | target, of a link only |
    private static void writeEntries(WireWriter out, Frame.Entries entries) {
        out.u8(0);
        out.number(entries.entries().size());
        writeAll(out, entries.entries());
    }

    private static void writePackedEntries(WireWriter out, Frame.PackedEntries entries) {
        out.u8(COMPRESSED);
        out.number(entries.count());
        out.number(entries.rawLength());
        out.bytes(entries.data(), 0, entries.data().length);
    }

    /// The bytes of all entries, to be compressed.
    public static byte[] unpackedBytes(Frame.Entries entries) {
        WireWriter out = new WireWriter(64 + 24 * entries.entries().size());
        writeAll(out, entries.entries());
        return out.toArray();
    }

    private static void writeAll(WireWriter out, List<Entry> entries) {
        Optional<TreePath> before = Optional.empty();
        for (Entry each : entries) {
            writeName(out, before, each.path());
            out.u8(numberOf(each.kind()));
            if (each.kind() == Kind.FILE) {
                out.number(each.size());
            }
            writeTimeAndMode(out, each.seconds(), each.nanos(), each.mode());
            if (each.kind() == Kind.LINK) {
                out.sized(each.target().toBytes());
            }
            before = Optional.of(each.path());
        }
    }

    private static Frame readEntries(WireReader in) throws ProtocolException {
        if (in.flags(COMPRESSED) == 0) {
            return readAll(in, in.count(LEAST_ENTRY, Integer.MAX_VALUE));
        }
        int count = in.number(MAX_SMALL / LEAST_ENTRY, "a count");
        int rawLength = in.number(MAX_SMALL, "the length of all entries");
        byte[] data = in.restBytes();
        return in.made(() -> new Frame.PackedEntries(count, rawLength, data));
    }

    static void checkPacked(int count, int rawLength, int length) {
        if (rawLength > MAX_SMALL || count < 1 || count > rawLength / LEAST_ENTRY) {
            throw new IllegalArgumentException(count + " items do not fit into " + rawLength + " bytes");
        }
        if (length < 1 || length >= rawLength) {
            throw new IllegalArgumentException("compressed entries have " + length + " bytes for " + rawLength);
        }
    }

    /// The entries of a page whose bytes are `raw` once they are decompressed.
    ///
    /// @throws ProtocolException naming the place and the rule that is broken
    public static Frame.Entries unpacked(Frame.PackedEntries packed, byte[] raw) throws ProtocolException {
        WireReader in = new WireReader("ENTRIES, uncompressed", raw, 0, raw.length);
        Frame.Entries entries = readAll(in, packed.count());
        in.end();
        return entries;
    }

    private static Frame.Entries readAll(WireReader in, int count) throws ProtocolException {
        Names names = new Names();
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            TreePath path = names.read(in);
            Kind kind = readKind(in);
            long size = kind == Kind.FILE ? in.number() : 0;
            long seconds = in.signed();
            int nanos = in.number(Integer.MAX_VALUE, "nanoseconds");
            int mode = in.u16();
            LinkTarget target = kind == Kind.LINK ? names.readTarget(in) : LinkTarget.NONE;
            entries.add(in.made(() -> new Entry(path, kind, size, seconds, nanos, mode, target)));
        }
        return in.made(() -> new Frame.Entries(entries));
    }

    static void checkEntries(List<Entry> entries) {
        long names = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0 && entries.get(i - 1).path().compareTo(entries.get(i).path()) >= 0) {
                throw new IllegalArgumentException("entries are not in the order of their paths");
            }
            names += Page.names(entries.get(i));
        }
        checkNames(names);
    }

    private static void checkNames(long bytes) {
        if (bytes > Page.MAX_NAMES) {
            throw new IllegalArgumentException("names of a page have " + bytes + " bytes, more than " + Page.MAX_NAMES);
        }
    }

    /// A name: number of leading bytes that it shares with the one before in the frame (all that it
    /// does share), then the rest, sized.
    private static void writeName(WireWriter out, Optional<TreePath> before, TreePath path) {
        int shared = before.map(path::sharedPrefix).orElse(0);
        out.number(shared);
        out.number(path.length() - shared);
        out.path(path, shared);
    }

    /// The names of a frame while it is read, and how many bytes they have so far.
    private static final class Names {
        private byte[] before = new byte[0];
        private int bytes;

        TreePath read(WireReader in) throws ProtocolException {
            int shared = in.number(before.length, "what a name shares");
            int rest = in.number(TreePath.MAX_LENGTH - shared, "the rest of a name");
            add(in, shared + rest);
            if (rest > in.remaining()) {
                throw in.broken("ends too early");
            }
            byte[] name = new byte[shared + rest];
            System.arraycopy(before, 0, name, 0, shared);
            in.bytes(name, shared, rest);
            if (rest > 0 && shared < before.length && before[shared] == name[shared]) {
                throw in.broken("a name shares more than it says");
            }
            before = name;
            return in.made(() -> TreePath.of(name));
        }

        LinkTarget readTarget(WireReader in) throws ProtocolException {
            byte[] target = in.sized(LinkTarget.MAX_LENGTH, "a target");
            add(in, target.length);
            return in.made(() -> LinkTarget.of(target));
        }

        private void add(WireReader in, int length) throws ProtocolException {
            bytes += length;
            if (bytes > Page.MAX_NAMES) {
                throw in.broken("names of a page have more than " + Page.MAX_NAMES + " bytes");
            }
        }
    }

    private static int numberOf(Kind kind) {
        return switch (kind) {
            case FILE -> FILE;
            case FOLDER -> FOLDER;
            case LINK -> LINK;
        };
    }

    private static Kind readKind(WireReader in) throws ProtocolException {
        int kind = in.u8();
        return switch (kind) {
            case FILE -> Kind.FILE;
            case FOLDER -> Kind.FOLDER;
            case LINK -> Kind.LINK;
            default -> throw in.broken("an unknown kind " + kind);
        };
    }

    private static void writeTimeAndMode(WireWriter out, long seconds, int nanos, int mode) {
        out.signed(seconds);
        out.number(nanos);
        out.u16(mode);
    }

    /// ENTRIES_END: count (number), complete (u8, 0 or 1).
    private static void writeEntriesEnd(WireWriter out, Frame.EntriesEnd end) {
        out.number(end.count());
        out.u8(end.complete() ? 1 : 0);
    }

    /// WANT: number of files, each as: id, less the one before (signed); 2 × (link + 1), plus 1 for a
    /// recipe (number).
    private static void writeWant(WireWriter out, Frame.Want want) {
        out.number(want.files().size());
        long before = 0;
        for (WantedFile each : want.files()) {
            out.signed(each.id() - before);
            out.number(2L * (each.link() + 1) + (each.recipe() ? 1 : 0));
            before = each.id();
        }
    }

    private static Frame.Want readWant(WireReader in) throws ProtocolException {
        int count = in.count(2, MAX_ITEMS);
        List<WantedFile> files = new ArrayList<>(count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            long id = readNext(in, before);
            int how = in.number(2 * SessionOptions.MAX_PARALLEL + 1, "how a file is wanted");
            files.add(in.made(() -> new WantedFile(id, (how & 1) == 1, (how >> 1) - 1)));
            before = id;
        }
        return new Frame.Want(files);
    }

    private static long readNext(WireReader in, long before) throws ProtocolException {
        long id = before + in.signed();
        if (id < 0) {
            throw in.broken("an id is out of range");
        }
        return id;
    }

    /// CONTENT:
    ///
    /// | length | content |
    /// |---|---|
    /// | 1 | 1 when the data is one Zstandard frame, else 0 |
    /// | number | bytes of all chunks |
    /// | number | number of segments, then the segments |
    /// | rest | data |
    ///
    /// A segment:
    ///
    /// | length | content |
    /// |---|---|
    /// | signed | id, less the one before |
    /// | number | form: see [#form] |
    /// | number | offset, unless the form says 0 |
    /// | number | number of chunks, unless the form says 1 |
    /// | number each | length of each chunk |
    /// | end | when the form says so: see [#writeEnd] |
    private static void writeContent(WireWriter out, Frame.Content content) {
        writeContentHead(out, content.segments(), content.compressed(), content.rawLength());
        out.bytes(content.buffer(), content.offset(), content.length());
    }

    private static void writeContentHead(WireWriter out, List<Segment> segments, boolean compressed, int rawLength) {
        out.u8(compressed ? COMPRESSED : 0);
        out.number(rawLength);
        out.number(segments.size());
        long before = 0;
        for (Segment each : segments) {
            writeSegment(out, each, before);
            before = each.id();
        }
        if (out.length() - HEADER > MAX_CONTENT_HEAD) {
            throw new IllegalArgumentException("the head of a block has " + (out.length() - HEADER) + " bytes");
        }
    }

    private static void writeSegment(WireWriter out, Segment segment, long before) {
        int count = segment.chunkLengths().length;
        boolean start = segment.offset() == 0;
        out.signed(segment.id() - before);
        out.number(form(segment.chunkClass(), segment.end(), segment.attempt())
                | (start ? FORM_START : 0)
                | (count == 1 ? FORM_ONE : 0));
        if (!start) {
            out.number(segment.offset());
        }
        if (count != 1) {
            out.number(count);
        }
        for (int each : segment.chunkLengths()) {
            out.number(each);
        }
        segment.end().ifPresent(end -> writeEnd(out, end));
    }

    /// A form:
    ///
    /// | bits | |
    /// |---|---|
    /// | 0, 1 | chunk class, less 1 |
    /// | 2 | the offset is 0; not in a recipe |
    /// | 3 | there is one chunk; not in a recipe |
    /// | 4 | an end is there |
    /// | 5 | the end is as the entry announced it |
    /// | from 6 | attempt |
    private static int form(ChunkClass chunkClass, Optional<FileEnd> end, int attempt) {
        boolean announced = end.filter(each -> each.version().isEmpty()).isPresent();
        return chunkClass.number() - 1
                | (end.isPresent() ? FORM_END : 0)
                | (announced ? FORM_ANNOUNCED : 0)
                | attempt << FORM_ATTEMPT;
    }

    private static int readForm(WireReader in) throws ProtocolException {
        int form = in.number(FORM_LIMIT - 1, "a form");
        if ((form & FORM_ANNOUNCED) != 0 && (form & FORM_END) == 0) {
            throw in.broken("an end as announced that is not there");
        }
        return form;
    }

    private static Frame.Content readContent(WireReader in, byte[] payload) throws ProtocolException {
        int start = in.position();
        boolean compressed = in.flags(COMPRESSED) != 0;
        int rawLength = in.number(MAX_DATA, "the length of all chunks");
        int count = in.count(LEAST_SEGMENT, MAX_SEGMENTS);
        List<Segment> segments = new ArrayList<>(count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            Segment segment = readSegment(in, rawLength, before);
            segments.add(segment);
            before = segment.id();
        }
        if (in.position() - start > MAX_CONTENT_HEAD) {
            throw in.broken("the head of a block has more than " + MAX_CONTENT_HEAD + " bytes");
        }
        int offset = in.position();
        int length = in.rest();
        return in.made(() -> new Frame.Content(segments, compressed, rawLength, payload, offset, length));
    }

    private static Segment readSegment(WireReader in, int rawLength, long before) throws ProtocolException {
        long id = readNext(in, before);
        int form = readForm(in);
        ChunkClass chunkClass = classOf(form);
        boolean start = (form & FORM_START) != 0;
        long offset = start ? 0 : in.number();
        if (!start && offset == 0) {
            throw in.broken("an offset 0 that the form does not say");
        }
        int[] lengths = new int[readChunkCount(in, form, rawLength)];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = in.number(chunkClass.max(), "the length of a chunk");
        }
        Optional<FileEnd> end = readEnd(in, form, start);
        return in.made(() -> new Segment(id, form >> FORM_ATTEMPT, chunkClass, offset, lengths, end));
    }

    private static int readChunkCount(WireReader in, int form, int rawLength) throws ProtocolException {
        if ((form & FORM_ONE) != 0) {
            return 1;
        }
        int count = in.count(1, Math.min(rawLength, MAX_CONTENT_HEAD));
        if (count == 1) {
            throw in.broken("one chunk that the form does not say");
        }
        return count;
    }

    private static ChunkClass classOf(int form) {
        return ChunkClass.ofNumber((form & FORM_CLASS) + 1).orElseThrow();
    }

    static void checkContent(List<Segment> segments, boolean compressed, int rawLength, int length) {
        long chunks = 0;
        for (Segment each : segments) {
            chunks += each.length();
        }
        if (segments.isEmpty() || segments.size() > MAX_SEGMENTS) {
            throw new IllegalArgumentException("a block of " + segments.size() + " segments");
        }
        if (chunks != rawLength || rawLength > MAX_DATA) {
            throw new IllegalArgumentException("a block of " + rawLength + " bytes has chunks of " + chunks);
        }
        if (compressed ? length < 1 || length >= rawLength : length != rawLength) {
            throw new IllegalArgumentException("a block has " + length + " bytes of data for " + rawLength);
        }
    }

    /// An end: unless it is as announced, size (number), seconds (signed), nanoseconds (number), mode (u16); then the
    /// root
    /// hash (32), of a file that is in one segment as a whole its head (8).
    private static void writeEnd(WireWriter out, FileEnd end) {
        end.version().ifPresent(each -> {
            out.number(each.size());
            writeTimeAndMode(out, each.seconds(), each.nanos(), each.mode());
        });
        switch (end.root()) {
            case RootClaim.Whole(Bytes32 root) -> out.hash(root);
            case RootClaim.Head(long bits) -> out.u64(bits);
        }
    }

    private static Optional<FileEnd> readEnd(WireReader in, int form, boolean whole) throws ProtocolException {
        if ((form & FORM_END) == 0) {
            return Optional.empty();
        }
        Optional<FileVersion> version = (form & FORM_ANNOUNCED) != 0 ? Optional.empty() : Optional.of(readVersion(in));
        RootClaim root = whole ? new RootClaim.Head(in.u64()) : new RootClaim.Whole(in.hash());
        return Optional.of(new FileEnd(version, root));
    }

    private static FileVersion readVersion(WireReader in) throws ProtocolException {
        long size = in.number();
        long seconds = in.signed();
        int nanos = in.number(Integer.MAX_VALUE, "nanoseconds");
        int mode = in.u16();
        return in.made(() -> new FileVersion(size, seconds, nanos, mode));
    }

    /// RECIPE: id (number), form (number, as in a segment), first chunk (number), number of chunks, each
    /// as: length (number), short id (16); then an end, when the form says so.
    private static void writeRecipe(WireWriter out, Frame.RecipePart part) {
        ShortRecipe chunks = part.chunks();
        out.number(part.id());
        out.number(form(chunks.chunkClass(), part.end(), part.attempt()));
        out.number(part.firstChunk());
        out.number(chunks.count());
        for (int i = 0; i < chunks.count(); i++) {
            out.number(chunks.length(i));
            out.u64(chunks.shortId(i).high());
            out.u64(chunks.shortId(i).low());
        }
        part.end().ifPresent(end -> writeEnd(out, end));
    }

    private static Frame.RecipePart readRecipe(WireReader in) throws ProtocolException {
        long id = in.number();
        int form = readForm(in);
        if ((form & (FORM_START | FORM_ONE)) != 0) {
            throw in.broken("a form of a segment");
        }
        ShortRecipe.Builder chunks = new ShortRecipe.Builder(classOf(form));
        int first = in.number(Integer.MAX_VALUE, "the first chunk");
        int count = in.count(1 + ShortId.LENGTH, MAX_ITEMS);
        for (int i = 0; i < count; i++) {
            int length = in.number(ChunkClass.HUGE.max(), "the length of a chunk");
            ShortId chunk = new ShortId(in.u64(), in.u64());
            in.made(() -> {
                chunks.add(length, chunk);
                return chunk;
            });
        }
        Optional<FileEnd> end = readEnd(in, form, false);
        return in.made(() -> new Frame.RecipePart(id, form >> FORM_ATTEMPT, first, chunks.build(), end));
    }

    /// MISSING: id (number), attempt (u8), number of ranges, each as: first chunk, less the end of the
    /// range before (number); how many chunks (number).
    private static void writeMissing(WireWriter out, Frame.Missing missing) {
        out.number(missing.id());
        out.u8(missing.attempt());
        out.number(missing.ranges().size());
        int end = 0;
        for (ChunkRange each : missing.ranges()) {
            out.number(each.first() - end);
            out.number(each.count());
            end = each.end();
        }
    }

    private static Frame.Missing readMissing(WireReader in) throws ProtocolException {
        long id = in.number();
        int attempt = in.u8();
        int count = in.count(2, MAX_ITEMS);
        List<ChunkRange> ranges = new ArrayList<>(count);
        int end = 0;
        for (int i = 0; i < count; i++) {
            int first = end + in.number(Integer.MAX_VALUE - end, "the first chunk of a range");
            int chunks = in.number(Integer.MAX_VALUE - first, "a range");
            ranges.add(in.made(() -> new ChunkRange(first, chunks)));
            end = first + chunks;
        }
        return in.made(() -> new Frame.Missing(id, attempt, ranges));
    }

    /// FAILED: id + 1 (number; 0 for none), code (u8, see [FailureCode]), path (text), text.
    private static void writeFailed(WireWriter out, Frame.Failed failed) {
        out.number(failed.id() + 1);
        out.u8(failed.code().number());
        out.text(failed.path());
        out.text(failed.text());
    }

    private static Frame.Failed readFailed(WireReader in) throws ProtocolException {
        long id = in.number() - 1;
        FailureCode code = readConstant(in, FailureCode.values(), FailureCode::number, "code");
        String path = in.text(Texts.MAX_SHOWN_PATH, "a path");
        return new Frame.Failed(id, path, code, in.text(Texts.MAX_REASON, "a text"));
    }

    /// DONE: number of outcomes, each as: id, less the one before (signed); changes (u8).
    private static void writeDone(WireWriter out, Frame.Done done) {
        out.number(done.outcomes().size());
        long before = 0;
        for (Outcome each : done.outcomes()) {
            out.signed(each.id() - before);
            out.u8(each.changes());
            before = each.id();
        }
    }

    private static Frame.Done readDone(WireReader in) throws ProtocolException {
        int count = in.count(2, MAX_ITEMS);
        List<Outcome> outcomes = new ArrayList<>(count);
        long before = 0;
        for (int i = 0; i < count; i++) {
            long id = readNext(in, before);
            outcomes.add(new Outcome(id, in.flags(Outcome.ALL)));
            before = id;
        }
        return new Frame.Done(outcomes);
    }

    /// DELETED: number of deletions, each as: name (as in ENTRIES), kind (u8).
    private static void writeDeleted(WireWriter out, Frame.Deleted deleted) {
        out.number(deleted.deletions().size());
        Optional<TreePath> before = Optional.empty();
        for (Deletion each : deleted.deletions()) {
            writeName(out, before, each.path());
            out.u8(numberOf(each.kind()));
            before = Optional.of(each.path());
        }
    }

    private static Frame.Deleted readDeleted(WireReader in) throws ProtocolException {
        int count = in.count(3, Integer.MAX_VALUE);
        Names names = new Names();
        List<Deletion> deletions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            TreePath path = names.read(in);
            deletions.add(new Deletion(path, readKind(in)));
        }
        return in.made(() -> new Frame.Deleted(deletions));
    }

    static void checkDeletions(List<Deletion> deletions) {
        checkNames(deletions.stream().mapToLong(Page::names).sum());
    }

    static void checkItems(int count) {
        if (count > MAX_ITEMS) {
            throw new IllegalArgumentException(count + " items in one frame, more than " + MAX_ITEMS);
        }
    }

    /// SUMMARY: files, bytes, reused, up to date, deleted, failed (numbers), deletes skipped (u8, 0 or
    /// 1).
    private static void writeSummary(WireWriter out, Frame.Summary summary) {
        out.number(summary.files());
        out.number(summary.bytes());
        out.number(summary.reused());
        out.number(summary.upToDate());
        out.number(summary.deleted());
        out.number(summary.failed());
        out.u8(summary.deletesSkipped() ? 1 : 0);
    }

    private static Frame.Summary readSummary(WireReader in) throws ProtocolException {
        return new Frame.Summary(
                in.number(), in.number(), in.number(), in.number(), in.number(), in.number(), in.truth());
    }

    /// CREDIT: window (u8: 1 entries, 2 answers, 3 content), bytes (number). BLOCKED: window (u8).
    /// PING, PONG: number (u64).
    private static void writeCredit(WireWriter out, Frame.Credit credit) {
        out.u8(credit.window().number());
        out.number(credit.bytes());
    }

    private static Frame.Credit readCredit(WireReader in) throws ProtocolException {
        Window window = readWindow(in);
        long bytes = in.number();
        return in.made(() -> new Frame.Credit(window, bytes));
    }

    private static Window readWindow(WireReader in) throws ProtocolException {
        return readConstant(in, Window.values(), Window::number, "window");
    }

    private static <T> T readConstant(WireReader in, T[] constants, ToIntFunction<T> numberOf, String what)
            throws ProtocolException {
        int number = in.u8();
        for (T each : constants) {
            if (numberOf.applyAsInt(each) == number) {
                return each;
            }
        }
        throw in.broken("an unknown " + what + " " + number);
    }
}
