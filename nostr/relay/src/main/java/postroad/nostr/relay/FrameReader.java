package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Reads a client's WebSocket frames (RFC 6455) from whatever pieces the socket gives, and hands over whole
/// messages.
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | bit 7 FIN, bits 6–4 RSV1–3, bits 3–0 opcode |
/// | 1 | 1 | bit 7 MASK, bits 6–0 length, or 126 or 127 |
/// | 2 | 0, 2 or 8 | length, after 126 or 127 |
/// | then | 4 | mask |
/// | then | length | payload, each byte XORed with the mask's |
///
/// A message that lies whole in the bytes read is unmasked into the loop's scratch array. Only one that
/// does not is gathered in an array of the connection's own, which grows with what has arrived, not with
/// what was announced. Owned by the connection's loop.
final class FrameReader {
    private static final int FIN = 0x80;
    private static final int RSV1 = 0x40;
    private static final int RSV2_OR_3 = 0x30;
    private static final int OPCODE = 0x0f;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int LONGEST_HEADER = 14;
    private static final int LONGEST_CONTROL = 125;
    private static final int FIRST_GATHERED = 1 << 10;

    /// Room each unfinished message may have however little there is for all.
    private static final int ALWAYS_GATHERED = 4 << 10;

    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private static final byte[] NONE = {};

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    /// What becomes of the frames. Arrays are valid during the call only.
    interface Sink {
        /// A whole text message, inflated; not yet known to be UTF-8.
        void text(byte[] bytes, int from, int to);

        void ping(byte[] payload);

        void pong();

        /// The peer's close frame; the code is 1005 when it named none.
        void close(int code);

        /// The peer broke the protocol or a limit; nothing more is read.
        void broken(CloseCode code, String reason);
    }

    private final int maxBytes;
    private final boolean deflate;
    private final ByteBudget unfinished;
    private final byte[] header = new byte[LONGEST_HEADER];

    private int headerLength;
    private int headerNeeded = 2;
    private boolean inPayload;
    private int opcode;
    private boolean fin;
    private int mask;
    private int remaining;

    private boolean inMessage;
    private boolean compressed;
    private byte[] gathered = NONE;
    private int gatheredLength;
    private byte[] control = NONE;
    private int controlLength;
    private long messages;
    private boolean ended;

    /// @param maxBytes longest message, before and after inflating
    /// @param deflate whether permessage-deflate was agreed on (RFC 7692)
    /// @param unfinished what the gathered parts of messages take, over all connections
    FrameReader(int maxBytes, boolean deflate, ByteBudget unfinished) {
        this.maxBytes = maxBytes;
        this.deflate = deflate;
        this.unfinished = unfinished;
    }

    /// Whether a message, or the header of one, has begun and not ended.
    boolean isMidMessage() {
        return headerLength > 0 || inPayload || inMessage;
    }

    /// Room taken for a message that is not complete.
    int gatheredCapacity() {
        return gathered.length;
    }

    /// How many frames and messages were handed over so far.
    long messages() {
        return messages;
    }

    /// Reads up to the end of one message or control frame.
    ///
    /// @return whether one was handed over; false when more bytes are needed, or nothing is read any more
    boolean readOne(ByteBuf in, Inbox inbox, Sink sink) {
        while (!ended) {
            if (!inPayload) {
                if (!readHeader(in) || !beginFrame(sink)) {
                    return false;
                }
            }
            if (isWholeMessage(in)) {
                takeWhole(in, inbox, sink);
                return true;
            }
            if (!hasRoom(in)) {
                return broken(sink, CloseCode.TRY_AGAIN_LATER, "too many long messages are under way; try again later");
            }
            if (!gather(in)) {
                return false;
            }
            inPayload = false;
            if (opcode >= CLOSE) {
                finishControl(sink);
                return true;
            }
            if (fin) {
                finishMessage(inbox, sink);
                return true;
            }
        }
        return false;
    }

    private boolean readHeader(ByteBuf in) {
        while (headerLength < headerNeeded) {
            if (!in.isReadable()) {
                return false;
            }
            header[headerLength++] = in.readByte();
            if (headerLength == 2) {
                int length = header[1] & LENGTH;
                headerNeeded = 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + ((header[1] & MASKED) != 0 ? 4 : 0);
            }
        }
        return true;
    }

    /// Checks the header just read and takes its fields; false when the connection is broken.
    private boolean beginFrame(Sink sink) {
        int first = header[0] & 0xff;
        opcode = first & OPCODE;
        fin = (first & FIN) != 0;
        boolean rsv1 = (first & RSV1) != 0;
        if ((header[1] & MASKED) == 0) {
            return broken(sink, CloseCode.PROTOCOL_ERROR, "a client must mask its frames");
        }
        if ((first & RSV2_OR_3) != 0 || rsv1 && !(deflate && opcode == TEXT)) {
            return broken(sink, CloseCode.PROTOCOL_ERROR, "a reserved bit is set");
        }
        int short7 = header[1] & LENGTH;
        long length = payloadLength(short7);
        if (length < 0) {
            return broken(sink, CloseCode.PROTOCOL_ERROR, "the payload length is malformed");
        }
        mask = bigEndian(headerNeeded - 4);
        switch (opcode) {
            case CONTINUATION -> {
                if (!inMessage) {
                    return broken(sink, CloseCode.PROTOCOL_ERROR, "nothing to continue");
                }
            }
            case TEXT -> {
                if (inMessage) {
                    return broken(sink, CloseCode.PROTOCOL_ERROR, "the message before has not ended");
                }
                compressed = rsv1;
            }
            case BINARY -> {
                return broken(sink, CloseCode.NOT_UNDERSTOOD, "binary messages are not understood; send text");
            }
            case CLOSE, PING, PONG -> {
                if (!fin || length > LONGEST_CONTROL) {
                    return broken(sink, CloseCode.PROTOCOL_ERROR, "a control frame is fragmented or too long");
                }
            }
            default -> {
                return broken(sink, CloseCode.PROTOCOL_ERROR, "opcode " + opcode + " is not defined");
            }
        }
        if (opcode < CLOSE && gatheredLength + length > maxBytes) {
            return broken(sink, CloseCode.TOO_BIG, "the message is longer than " + maxBytes + " bytes");
        }
        remaining = (int) length;
        inPayload = true;
        headerLength = 0;
        headerNeeded = 2;
        return true;
    }

    /// The length; negative when its form is not the shortest or it has 64 bits.
    private long payloadLength(int short7) {
        if (short7 < 126) {
            return short7;
        }
        if (short7 == 126) {
            int length = (header[2] & 0xff) << 8 | header[3] & 0xff;
            return length < 126 ? -1 : length;
        }
        long length = (long) bigEndian(2) << 32 | bigEndian(6) & 0xffffffffL;
        return length < 1 << 16 ? -1 : length;
    }

    private int bigEndian(int at) {
        return header[at] << 24 | (header[at + 1] & 0xff) << 16 | (header[at + 2] & 0xff) << 8 | header[at + 3] & 0xff;
    }

    private boolean isWholeMessage(ByteBuf in) {
        return opcode == TEXT && fin && gatheredLength == 0 && !inMessage && in.readableBytes() >= remaining;
    }

    private void takeWhole(ByteBuf in, Inbox inbox, Sink sink) {
        byte[] target = inbox.message().atLeast(remaining);
        int length = remaining;
        in.readBytes(target, 0, length);
        unmask(target, 0, length, mask);
        inPayload = false;
        remaining = 0;
        messages++;
        deliver(target, length, inbox, sink);
    }

    /// Gives up what was gathered: the connection is gone.
    void release() {
        ended = true;
        forget();
    }

    /// Whether what there is of the frame's payload may be gathered.
    private boolean hasRoom(ByteBuf in) {
        int needed = gatheredLength + Math.min(in.readableBytes(), remaining);
        return opcode >= CLOSE
                || needed <= Math.max(gathered.length, ALWAYS_GATHERED)
                || !unfinished.wouldExceed(needed - (long) gathered.length);
    }

    private void forget() {
        unfinished.add(-gathered.length);
        gathered = NONE;
        gatheredLength = 0;
    }

    /// Takes what there is of the frame's payload; whether it is complete.
    private boolean gather(ByteBuf in) {
        int length = Math.min(in.readableBytes(), remaining);
        if (length == 0 && remaining > 0) {
            return false;
        }
        boolean isControl = opcode >= CLOSE;
        if (isControl && control.length == 0) {
            control = new byte[remaining];
        }
        byte[] target = isControl ? control : room(length);
        int at = isControl ? controlLength : gatheredLength;
        in.readBytes(target, at, length);
        unmask(target, at, length, mask);
        mask = Integer.rotateLeft(mask, 8 * (length & 3));
        remaining -= length;
        if (isControl) {
            controlLength += length;
        } else {
            gatheredLength += length;
            inMessage = true;
        }
        return remaining == 0;
    }

    private byte[] room(int length) {
        int needed = gatheredLength + length;
        int before = gathered.length;
        if (before == 0) {
            gathered = new byte[Math.max(Math.min(FIRST_GATHERED, maxBytes), needed)];
        }
        gathered = Scratch.grow(gathered, needed, maxBytes);
        unfinished.add(gathered.length - (long) before);
        return gathered;
    }

    private void finishMessage(Inbox inbox, Sink sink) {
        byte[] message = gathered;
        int length = gatheredLength;
        forget();
        inMessage = false;
        messages++;
        deliver(message, length, inbox, sink);
    }

    private void deliver(byte[] message, int length, Inbox inbox, Sink sink) {
        if (!compressed) {
            sink.text(message, 0, length);
            return;
        }
        compressed = false;
        switch (inbox.inflate(message, length, maxBytes)) {
            case Inbox.Inflated.Message(int inflated) -> sink.text(inbox.inflated(), 0, inflated);
            case Inbox.Inflated.TooBig() ->
                broken(sink, CloseCode.TOO_BIG, "the message inflates to more than " + maxBytes + " bytes");
            case Inbox.Inflated.Malformed() -> broken(sink, CloseCode.NOT_UTF8, "the compressed message is damaged");
        }
    }

    private void finishControl(Sink sink) {
        byte[] payload = control;
        control = NONE;
        controlLength = 0;
        if (!inMessage) {
            // One in the middle of a message does not make that message younger.
            messages++;
        }
        switch (opcode) {
            case PING -> sink.ping(payload);
            case PONG -> sink.pong();
            default -> finishClose(payload, sink);
        }
    }

    private void finishClose(byte[] payload, Sink sink) {
        if (payload.length == 0) {
            ended = true;
            sink.close(1005);
            return;
        }
        int code = payload.length == 1 ? 0 : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        if (!CloseCode.isLegal(code)) {
            broken(sink, CloseCode.PROTOCOL_ERROR, "the close frame is malformed");
        } else if (!Utf8.isWellFormed(payload, 2, payload.length)) {
            broken(sink, CloseCode.NOT_UTF8, "the close reason is not UTF-8");
        } else {
            ended = true;
            sink.close(code);
        }
    }

    private boolean broken(Sink sink, CloseCode code, String reason) {
        release();
        sink.broken(code, reason);
        return false;
    }

    /// XORs `length` bytes with the mask, its highest byte first.
    static void unmask(byte[] bytes, int from, int length, int mask) {
        long wide = (long) mask << 32 | mask & 0xffffffffL;
        int at = from;
        int end = from + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            WORD.set(bytes, at, (long) WORD.get(bytes, at) ^ wide);
        }
        for (int shift = 24; at < end; at++, shift -= 8) {
            bytes[at] ^= (byte) (mask >>> (shift & 31));
        }
    }

    /// Text as the close frame carries it: UTF-8, cut to what fits.
    static byte[] closeReason(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, LONGEST_CONTROL - 2);
        while (length < text.length && (text[length] & 0xc0) == 0x80) {
            length--;
        }
        return length == text.length ? text : java.util.Arrays.copyOf(text, length);
    }
}
