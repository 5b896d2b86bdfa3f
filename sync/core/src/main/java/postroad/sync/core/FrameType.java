package postroad.sync.core;

import java.util.Optional;

/// The number of each frame on the wire and how long its payload may be.
enum FrameType {
    HELLO(0x01, 512 << 10),
    JOIN(0x02, 64),
    STOP(0x03, 2 << 10),
    BYE(0x04, 0),
    ENTRIES(0x10, 1 << 20),
    ENTRIES_END(0x11, 64),
    WANT(0x20, 1 << 20),
    CONTENT(0x21, FrameCodec.MAX_DATA + FrameCodec.MAX_CONTENT_HEAD),
    RECIPE(0x22, 1 << 20),
    MISSING(0x23, 1 << 20),
    FAILED(0x24, 192 << 10),
    DONE(0x25, 1 << 20),
    DELETED(0x26, 1 << 20),
    SUMMARY(0x27, 64),
    CREDIT(0x30, 64),
    BLOCKED(0x31, 64),
    PING(0x32, 64),
    PONG(0x33, 64);

    /// Types from here on are skipped by who does not know them.
    static final int OPTIONAL = 0x80;
    /// The longest payload of an optional frame that is not known.
    static final int MAX_UNKNOWN = 1 << 20;

    private static final FrameType[] OF_NUMBER = new FrameType[OPTIONAL];

    static {
        for (FrameType each : values()) {
            OF_NUMBER[each.number] = each;
        }
    }

    final int number;
    final int maxPayload;

    FrameType(int number, int maxPayload) {
        this.number = number;
        this.maxPayload = maxPayload;
    }

    static Optional<FrameType> of(int number) {
        if (number < 0 || number > 0xff) {
            throw new IllegalArgumentException("a type is a byte without its sign, not " + number);
        }
        return number < OPTIONAL ? Optional.ofNullable(OF_NUMBER[number]) : Optional.empty();
    }

    static FrameType of(Frame frame) {
        return switch (frame) {
            case Frame.Hello _ -> HELLO;
            case Frame.Join _ -> JOIN;
            case Frame.Stop _ -> STOP;
            case Frame.Bye _ -> BYE;
            case Frame.Entries _, Frame.PackedEntries _ -> ENTRIES;
            case Frame.EntriesEnd _ -> ENTRIES_END;
            case Frame.Want _ -> WANT;
            case Frame.Content _ -> CONTENT;
            case Frame.RecipePart _ -> RECIPE;
            case Frame.Missing _ -> MISSING;
            case Frame.Failed _ -> FAILED;
            case Frame.Done _ -> DONE;
            case Frame.Deleted _ -> DELETED;
            case Frame.Summary _ -> SUMMARY;
            case Frame.Credit _ -> CREDIT;
            case Frame.Blocked _ -> BLOCKED;
            case Frame.Ping _ -> PING;
            case Frame.Pong _ -> PONG;
            case Frame.Unknown _ -> throw new IllegalArgumentException("an unknown frame cannot be written");
        };
    }
}
