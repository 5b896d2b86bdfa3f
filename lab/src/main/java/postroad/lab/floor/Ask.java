package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// One thing that is asked of a server again and again, with its frames made beforehand.
final class Ask {
    private static final byte[] NOTHING = {};
    private static final byte[] NOTICE = "[\"NOTICE\"".getBytes(US_ASCII);
    private static final byte[] CLOSED = "[\"CLOSED\",\"q\"".getBytes(US_ASCII);

    private final byte[] before;
    private final byte[] frames;
    private final byte[] end;
    private final byte[] row;
    private final int rows;
    private final boolean lastIsRow;

    /// @param before frames sent in a write of their own before, as a CLOSE is; empty for none
    /// @param frames what asks
    /// @param end how the last message of the answer begins
    /// @param row how those before it begin, which are counted
    /// @param rows how many rows are right; -1 for not known yet
    /// @param lastIsRow whether the answer is over after `rows` rows instead, as an echo is
    Ask(byte[] before, byte[] frames, byte[] end, byte[] row, int rows, boolean lastIsRow) {
        this.before = before;
        this.frames = frames;
        this.end = end;
        this.row = row;
        this.rows = rows;
        this.lastIsRow = lastIsRow;
    }

    /// A REQ, which takes the place of the one before, of the same name.
    static Ask req(String filter) {
        return new Ask(
                NOTHING,
                LeanClient.frame("[\"REQ\",\"q\"," + filter + "]"),
                "[\"EOSE\",\"q\"".getBytes(US_ASCII),
                "[\"EVENT\",\"q\"".getBytes(US_ASCII),
                -1,
                false);
    }

    /// A message that no relay understands.
    static Ask notice() {
        return new Ask(
                NOTHING,
                LeanClient.frame("[\"NONSENSE\",\"nothing that a relay knows\"]"),
                "[\"NOTICE\"".getBytes(US_ASCII),
                NOTHING,
                0,
                false);
    }

    /// An echo of `frames` frames of `bytes` bytes, asked for in as many bytes as a REQ has.
    static Ask echo(int frames, int bytes, int asked) {
        String head = frames + " " + bytes + " ";
        return new Ask(
                NOTHING,
                LeanClient.frame(head + ".".repeat(Math.max(0, asked - head.length()))),
                NOTHING,
                "x".getBytes(US_ASCII),
                frames,
                true);
    }

    /// What asks, as it goes out.
    byte[] frames() {
        return frames;
    }

    /// How many rows are right; -1 for not known yet.
    int rows() {
        return rows;
    }

    /// The same behind a CLOSE.
    Ask afterClose() {
        return new Ask(LeanClient.frame("[\"CLOSE\",\"q\"]"), frames, end, row, rows, lastIsRow);
    }

    /// The same with the number of rows that is right.
    Ask expecting(int newRows) {
        return new Ask(before, frames, end, row, newRows, lastIsRow);
    }

    /// Asks, and waits for the answer; the nanoseconds from the first byte out to the last message in.
    ///
    /// @throws IOException if the answer has not as many rows as it should, or is a refusal
    long time(LeanClient client) throws IOException {
        long begin = System.nanoTime();
        if (before.length > 0) {
            client.send(before);
        }
        client.send(frames);
        int seen = await(client);
        long nanos = System.nanoTime() - begin;
        if (rows >= 0 && seen != rows) {
            throw new IOException("an answer of " + seen + " rows instead of " + rows);
        }
        return nanos;
    }

    /// What came back.
    ///
    /// @param ids of the events, in their order
    /// @param bytes of their messages
    record Answer(List<String> ids, long bytes) {}

    /// Asks, and looks into the answer.
    Answer answer(LeanClient client) throws IOException {
        List<String> ids = new ArrayList<>();
        long bytes = 0;
        client.send(frames);
        while (true) {
            client.read();
            if (client.startsWith(row)) {
                String text = client.text();
                int at = text.indexOf("\"id\":\"") + 6;
                ids.add(text.substring(at, at + 64));
                bytes += client.length();
            } else if (client.startsWith(end)) {
                return new Answer(ids, bytes);
            } else {
                refuse(client);
            }
        }
    }

    private int await(LeanClient client) throws IOException {
        int seen = 0;
        while (true) {
            client.read();
            if (row.length > 0 && client.startsWith(row)) {
                seen++;
                if (lastIsRow && seen == rows) {
                    return seen;
                }
            } else if (!lastIsRow && client.startsWith(end)) {
                return seen;
            } else {
                refuse(client);
            }
        }
    }

    /// Passes over what may come at any time, and fails on a refusal.
    private static void refuse(LeanClient client) throws IOException {
        if (client.startsWith(CLOSED) || client.startsWith(NOTICE)) {
            throw new IOException("the relay refused: " + client.text());
        }
    }
}
