package postroad.lab.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;

/// Makes bad input out of good: messages, frames and handshakes, all from one seeded generator.
public final class Mutator {
    private static final List<String> TOKENS = List.of(
            "1e9",
            "-1",
            "1.0",
            "65536",
            "18446744073709551616",
            "9".repeat(400),
            "null",
            "true",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"\\x\"",
            "[]",
            "{}",
            "[[[[[[[[[[[[",
            "{\"a\":{\"a\":{\"a\":",
            "\"a\":1,",
            ",,",
            ":",
            "\u0000",
            "\u2028",
            "\u00e9",
            "\"#e\":[\"\"],",
            "\"&t\":[\"a\",\"b\"],",
            "\"limit\":0,",
            "\"kinds\":[1,1,1],",
            "\"search\":\"x\",");
    private static final List<String> VERBS =
            List.of("EVENT", "REQ", "CLOSE", "COUNT", "AUTH", "NEG-OPEN", "NEG-MSG", "OK", "", "req", "NOTICE");

    private final Random random;
    private final List<String> messages;

    /// Draws from `random`, beginning with `messages`, which are good.
    public Mutator(Random random, List<String> messages) {
        this.random = random;
        this.messages = List.copyOf(messages);
    }

    /// A good message.
    public String message() {
        return messages.get(random.nextInt(messages.size()));
    }

    /// A message that was good, before one to five changes; mostly valid UTF-8 still.
    public byte[] badMessage() {
        byte[] bytes = (random.nextInt(8) == 0 ? tree(0) : message()).getBytes(UTF_8);
        int changes = 1 + random.nextInt(5);
        for (int i = 0; i < changes; i++) {
            bytes = changed(bytes);
        }
        return bytes;
    }

    /// Bytes without sense.
    public byte[] garbage(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A frame whose head, mask or length may be wrong.
    public byte[] badFrame() {
        byte[] payload = random.nextBoolean() ? message().getBytes(UTF_8) : badMessage();
        int head = random.nextInt(4) == 0 ? random.nextInt(256) : Frame.FIN | Frame.TEXT;
        byte[] frame = new Frame(head, ByteBuffer.wrap(payload)).bytes(random.nextInt(4) == 0 ? 0 : random.nextInt());
        int bits = random.nextInt(4);
        for (int i = 0; i < bits; i++) {
            int at = random.nextInt(Math.min(frame.length, 14));
            frame[at] ^= (byte) (1 << random.nextInt(8));
        }
        return random.nextInt(6) == 0 ? Arrays.copyOf(frame, random.nextInt(frame.length + 1)) : frame;
    }

    /// A good message as several frames, with control frames between.
    public byte[] fragments() {
        return fragments(Frame.TEXT, message().getBytes(UTF_8));
    }

    /// A message, good or bad, that is rightly compressed, in one frame or several.
    public byte[] deflatedMessage() {
        byte[] plain = random.nextBoolean() ? message().getBytes(UTF_8) : badMessage();
        return compressed(Deflate.message(plain, random));
    }

    /// What must not be sent where compression was agreed on, as frames of the right form: damaged or cut
    /// streams, bombs, noise, streams that do not end where they say, and the bit where it does not belong.
    public byte[] badDeflate() {
        byte[] good = Deflate.message(message().getBytes(UTF_8), random);
        return switch (random.nextInt(10)) {
            case 0 -> compressed(bitsFlipped(good));
            case 1 -> compressed(Arrays.copyOf(good, random.nextInt(good.length + 1)));
            case 2 -> compressed(garbage(2_000));
            case 3 -> compressed(joined(good, garbage(200)));
            case 4 -> compressed(joined(good, good));
            case 5 -> compressed(new byte[random.nextInt(2_000)]);
            case 6 -> compressed(Deflate.bomb(bombSize(), (byte) "[ {\"\u0000".charAt(random.nextInt(5)), random));
            case 7 -> masked(Frame.FIN | Frame.RSV1 | Frame.PING + random.nextInt(2), garbage(125));
            case 8 -> continuedWrongly(good);
            default -> masked(Frame.FIN | Frame.TEXT | random.nextInt(8) << 4, good);
        };
    }

    private byte[] compressed(byte[] payload) {
        return random.nextInt(3) == 0
                ? fragments(Frame.RSV1 | Frame.TEXT, payload)
                : masked(Frame.FIN | Frame.RSV1 | Frame.TEXT, payload);
    }

    /// Around the relay's limit, or far above it.
    private int bombSize() {
        return random.nextInt(4) == 0 ? 32 << 20 : (2 << 20) - 2 + random.nextInt(4);
    }

    /// The bit again on a later frame of the message, or on that alone.
    private byte[] continuedWrongly(byte[] good) {
        int middle = random.nextInt(good.length + 1);
        int first = random.nextBoolean() ? Frame.RSV1 | Frame.TEXT : Frame.TEXT;
        return joined(
                masked(first, Arrays.copyOf(good, middle)),
                masked(Frame.FIN | Frame.RSV1 | Frame.CONTINUATION, from(good, middle)));
    }

    private byte[] bitsFlipped(byte[] bytes) {
        byte[] copy = bytes.clone();
        for (int i = random.nextInt(8); i >= 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private byte[] masked(int head, byte[] payload) {
        return new Frame(head, ByteBuffer.wrap(payload)).bytes(random.nextInt() | 1);
    }

    private byte[] fragments(int head, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        int opcode = head;
        do {
            int length = Math.min(payload.length - at, random.nextInt(Math.max(1, payload.length / 2)) + 1);
            boolean last = at + length == payload.length;
            Frame part = new Frame((last ? Frame.FIN : 0) | opcode, ByteBuffer.wrap(payload, at, length));
            out.writeBytes(part.bytes(random.nextInt() | 1));
            if (!last && random.nextInt(3) == 0) {
                out.writeBytes(
                        new Frame(Frame.FIN | Frame.PING, ByteBuffer.wrap(garbage(125))).bytes(random.nextInt() | 1));
            }
            opcode = Frame.CONTINUATION;
            at += length;
        } while (at < payload.length);
        return out.toByteArray();
    }

    /// A handshake that was good, before some lines or bytes of it changed.
    public byte[] badHandshake(byte[] good) {
        List<String> lines = new ArrayList<>(List.of(new String(good, UTF_8).split("\r\n")));
        switch (random.nextInt(6)) {
            case 0 -> lines.remove(random.nextInt(lines.size()));
            case 1 -> lines.add(random.nextInt(lines.size()), lines.get(random.nextInt(lines.size())));
            case 2 -> lines.add("X-Long: " + "x".repeat(random.nextInt(100_000)));
            case 3 -> lines.addAll(Collections.nCopies(random.nextInt(2_000), "X-Many: y"));
            case 4 ->
                lines.set(
                        0,
                        List.of("POST / HTTP/1.1", "GET /%00 HTTP/9.9", "GET", "PRI * HTTP/2.0", "\u0000")
                                .get(random.nextInt(5)));
            default ->
                lines.add("Content-Length: "
                        + List.of("-1", "99999999999", "5", "x").get(random.nextInt(4)));
        }
        byte[] bytes = (String.join("\r\n", lines) + "\r\n\r\n").getBytes(UTF_8);
        return random.nextBoolean() ? bytes : changed(bytes);
    }

    private byte[] changed(byte[] bytes) {
        if (bytes.length == 0) {
            return garbage(20);
        }
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(9)) {
            case 0 -> flipped(bytes, at);
            case 1 -> joined(Arrays.copyOf(bytes, at), token(), from(bytes, at));
            case 2 ->
                joined(Arrays.copyOf(bytes, at), from(bytes, Math.min(bytes.length, at + 1 + random.nextInt(20))));
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> joined(Arrays.copyOf(bytes, at), message().getBytes(UTF_8));
            case 5 -> repeated(bytes, at);
            case 6 -> numberReplaced(bytes);
            case 7 -> joined(bytes, token());
            default -> verbReplaced(bytes);
        };
    }

    private byte[] flipped(byte[] bytes, int at) {
        byte[] copy = bytes.clone();
        copy[at] = random.nextInt(4) == 0 ? (byte) random.nextInt() : (byte) (' ' + random.nextInt(95));
        return copy;
    }

    private byte[] repeated(byte[] bytes, int at) {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(40));
        byte[] part = Arrays.copyOfRange(bytes, at, end);
        int times = random.nextInt(50);
        byte[] out = Arrays.copyOf(bytes, at);
        for (int i = 0; i < times; i++) {
            out = joined(out, part);
        }
        return joined(out, from(bytes, at));
    }

    private byte[] numberReplaced(byte[] bytes) {
        return new String(bytes, UTF_8)
                .replaceFirst("(?<=[:\\[,])[0-9]+", Matcher.quoteReplacement(new String(token(), UTF_8)))
                .getBytes(UTF_8);
    }

    private byte[] verbReplaced(byte[] bytes) {
        return new String(bytes, UTF_8)
                .replaceFirst("^\\[\"[A-Z]*\"", "[\"" + VERBS.get(random.nextInt(VERBS.size())) + "\"")
                .getBytes(UTF_8);
    }

    private byte[] token() {
        return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(UTF_8);
    }

    private String tree(int depth) {
        return switch (depth > 5 ? 3 + random.nextInt(4) : random.nextInt(7)) {
            case 0 -> "[\"" + VERBS.get(random.nextInt(VERBS.size())) + "\"," + tree(depth + 1) + "]";
            case 1 -> "[" + tree(depth + 1) + "," + tree(depth + 1) + "]";
            case 2 -> "{\"ids\":" + tree(depth + 1) + ",\"kinds\":" + tree(depth + 1) + "}";
            case 3 -> Long.toString(random.nextLong());
            case 4 -> "\"" + "x".repeat(random.nextInt(100)) + "\"";
            case 5 -> "[]";
            default -> new String(token(), UTF_8);
        };
    }

    private static byte[] from(byte[] bytes, int at) {
        return Arrays.copyOfRange(bytes, at, bytes.length);
    }

    private static byte[] joined(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
