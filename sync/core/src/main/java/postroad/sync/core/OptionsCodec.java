package postroad.sync.core;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// The bytes of [SessionOptions] at the end of a HELLO: options that differ from the default, each as
///
/// | length | content |
/// |---|---|
/// | 1 | tag, larger than the one before; one of 0x80 and more may be skipped by who does not know it |
/// | number | L |
/// | L | value |
///
/// | tag | value |
/// |---|---|
/// | 1 delete, 3 dry run, 4 checksum, 8 single | empty: being there says it |
/// | 2 max-delete, 6 in-flight, 7 parallel | number |
/// | 5 compression | u8: 1 on, 2 off |
/// | 9 patterns | number of lists (1 or 2); for each: number of lines (1 to 4096), each line sized |
final class OptionsCodec {
    private static final int DELETE = 1;
    private static final int MAX_DELETE = 2;
    private static final int DRY_RUN = 3;
    private static final int CHECKSUM = 4;
    private static final int COMPRESSION = 5;
    private static final int IN_FLIGHT = 6;
    private static final int PARALLEL = 7;
    private static final int SINGLE = 8;
    private static final int PATTERNS = 9;
    private static final int OPTIONAL = 0x80;

    private static final int COMPRESSION_ON = 1;
    private static final int COMPRESSION_OFF = 2;

    private OptionsCodec() {}

    static void write(WireWriter out, SessionOptions options) {
        writeFlag(out, DELETE, options.delete());
        options.maxDelete().ifPresent(limit -> writeNumber(out, MAX_DELETE, limit));
        writeFlag(out, DRY_RUN, options.dryRun());
        writeFlag(out, CHECKSUM, options.checksum());
        switch (options.compression()) {
            case AUTO -> {}
            case ON -> writeNumber(out, COMPRESSION, COMPRESSION_ON);
            case OFF -> writeNumber(out, COMPRESSION, COMPRESSION_OFF);
        }
        if (options.inFlight() != SessionOptions.DEFAULT.inFlight()) {
            writeNumber(out, IN_FLIGHT, options.inFlight());
        }
        if (options.parallel() != SessionOptions.DEFAULT.parallel()) {
            writeNumber(out, PARALLEL, options.parallel());
        }
        writeFlag(out, SINGLE, options.single());
        if (!options.patterns().isEmpty()) {
            WireWriter value = new WireWriter(256);
            writePatterns(value, options.patterns());
            write(out, PATTERNS, value);
        }
    }

    private static void writeFlag(WireWriter out, int tag, boolean value) {
        if (value) {
            write(out, tag, new WireWriter(0));
        }
    }

    private static void writeNumber(WireWriter out, int tag, long number) {
        WireWriter value = new WireWriter(10);
        value.number(number);
        write(out, tag, value);
    }

    private static void write(WireWriter out, int tag, WireWriter value) {
        out.u8(tag);
        out.sized(value.toArray());
    }

    private static void writePatterns(WireWriter out, PatternList patterns) {
        out.number(patterns.lists().size());
        for (List<PatternLine> list : patterns.lists()) {
            out.number(list.size());
            list.forEach(line -> out.sized(line.toBytes()));
        }
    }

    /// Reads to the end of the payload.
    static SessionOptions read(WireReader in) throws ProtocolException {
        SessionOptions options = SessionOptions.DEFAULT;
        int last = 0;
        while (in.remaining() > 0) {
            int tag = in.u8();
            if (tag <= last) {
                throw in.broken("option " + tag + " comes after option " + last);
            }
            last = tag;
            options = read(options, tag, in.slice());
        }
        return options;
    }

    private static SessionOptions read(SessionOptions options, int tag, WireReader value) throws ProtocolException {
        SessionOptions read = readValue(options, tag, value);
        if (tag < OPTIONAL) {
            value.end();
        }
        return read;
    }

    private static SessionOptions readValue(SessionOptions options, int tag, WireReader value)
            throws ProtocolException {
        return switch (tag) {
            case DELETE -> options.withDelete(true);
            case MAX_DELETE -> options.withMaxDelete(OptionalLong.of(value.number()));
            case DRY_RUN -> options.withDryRun(true);
            case CHECKSUM -> options.withChecksum(true);
            case COMPRESSION -> options.withCompression(readCompression(value));
            case IN_FLIGHT -> {
                int number = value.number(SessionOptions.MAX_IN_FLIGHT, "in-flight");
                yield value.made(() -> options.withInFlight(number));
            }
            case PARALLEL -> {
                int number = value.number(SessionOptions.MAX_PARALLEL, "parallel");
                yield value.made(() -> options.withParallel(number));
            }
            case SINGLE -> options.withSingle(true);
            case PATTERNS -> options.withPatterns(readPatterns(value));
            default -> {
                if (tag < OPTIONAL) {
                    throw value.broken("an unknown option " + tag);
                }
                yield options;
            }
        };
    }

    private static Compression readCompression(WireReader value) throws ProtocolException {
        int choice = value.u8();
        return switch (choice) {
            case COMPRESSION_ON -> Compression.ON;
            case COMPRESSION_OFF -> Compression.OFF;
            default -> throw value.broken("an unknown compression " + choice);
        };
    }

    private static PatternList readPatterns(WireReader value) throws ProtocolException {
        int lists = value.count(1, PatternList.MAX_LISTS);
        if (lists == 0) {
            throw value.broken("patterns, and no list");
        }
        PatternList patterns = PatternList.NONE;
        for (int i = 0; i < lists; i++) {
            PatternList before = patterns;
            PatternList list = readList(value);
            patterns = value.made(() -> before.and(list));
        }
        return patterns;
    }

    private static PatternList readList(WireReader value) throws ProtocolException {
        int count = value.count(2, PatternList.MAX_LINES);
        if (count == 0) {
            throw value.broken("a list of no patterns");
        }
        List<PatternLine> lines = new ArrayList<>(count);
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            byte[] text = value.sized(PatternLine.MAX_LENGTH, "a pattern");
            bytes += text.length;
            if (bytes > PatternList.MAX_BYTES) {
                throw value.broken("patterns have more than " + PatternList.MAX_BYTES + " bytes");
            }
            lines.add(value.made(() -> PatternLine.of(text)));
        }
        return value.made(() -> PatternList.of(lines));
    }
}
