package postroad.app.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/// One frame of the control protocol.
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | type, an ASCII letter |
/// | 1 | 4 | L, length of the payload, big-endian, at most 1 MiB |
/// | 5 | L | payload: bytes, or UTF-8 text of lines, in which `\n` stands for a line break and `\\` for a backslash |
@SuppressWarnings("ArrayRecordComponent") // a frame is passed on once, never compared
record Frame(char type, byte[] payload) {
    static final int MAX_PAYLOAD = 1 << 20;

    /// The command: `postroad-control 1 VERB`, then lines `name TAB value`. Client to node, first.
    static final char REQUEST = 'Q';
    /// A source to import begins: its name. Client to node.
    static final char SOURCE = 'F';
    /// Bytes of JSON lines. Either way.
    static final char DATA = 'D';
    /// Nothing more to import. Client to node.
    static final char END = 'Z';
    /// How far it is, in the form of the summary. Node to client.
    static final char PROGRESS = 'P';
    /// Done: the summary. Node to client, last.
    static final char SUMMARY = 'S';
    /// Failed: why. Node to client, last.
    static final char ERROR = 'E';

    static Frame of(char type, String text) {
        return new Frame(type, text.getBytes(UTF_8));
    }

    static Frame of(char type, List<String> lines) {
        return of(type, String.join("\n", lines.stream().map(Frame::escaped).toList()));
    }

    /// The payload as text.
    String text() {
        return new String(payload, UTF_8);
    }

    /// The payload as lines of text.
    List<String> lines() {
        return Arrays.stream(text().split("\n", -1)).map(Frame::unescaped).toList();
    }

    /// A name of a file may hold a line break.
    private static String escaped(String line) {
        return line.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String unescaped(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char one = line.charAt(i);
            if (one == '\\' && i + 1 < line.length()) {
                i++;
                one = line.charAt(i) == 'n' ? '\n' : line.charAt(i);
            }
            text.append(one);
        }
        return text.toString();
    }

    void writeTo(DataOutputStream out) throws IOException {
        write(out, type, payload, 0, payload.length);
    }

    static void write(DataOutputStream out, char type, byte[] bytes, int from, int length) throws IOException {
        out.writeByte(type);
        out.writeInt(length);
        out.write(bytes, from, length);
    }

    /// Reads a frame.
    ///
    /// @throws EOFException at the end of the connection
    /// @throws ControlException if the other side does not speak this protocol
    static Frame read(DataInputStream in) throws IOException {
        int type = in.readUnsignedByte();
        int length = in.readInt();
        if (length < 0 || length > MAX_PAYLOAD || type < 'A' || type > 'Z') {
            throw new ControlException("the other side of the control socket sent a frame of type " + type
                    + " and length " + length + ", which is none");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new EOFException("the connection ended in the middle of a frame");
        }
        return new Frame((char) type, payload);
    }
}
