package postroad.nostr.core;

import java.util.Arrays;
import java.util.Random;

/// Small damage to text, as a seeded fuzzer makes it: bytes flipped, put in, cut out, doubled or replaced by another
/// that means something in JSON.
final class Mutations {
    private static final byte[] MEANINGFUL = {
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '0',
        '1',
        '9',
        '-',
        '+',
        '.',
        'e',
        'E',
        'u',
        'd',
        'D',
        '/',
        'n',
        't',
        ' ',
        '\n',
        0,
        0x1f,
        0x7f,
        (byte) 0x80,
        (byte) 0xc0,
        (byte) 0xc3,
        (byte) 0xe2,
        (byte) 0xed,
        (byte) 0xf0,
        (byte) 0xff
    };

    private Mutations() {}

    /// A copy of `text` with up to three wounds, sometimes none.
    static byte[] of(byte[] text, Random random) {
        byte[] bytes = text.clone();
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes = wound(bytes, random);
        }
        return bytes;
    }

    private static byte[] wound(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        int count = 1 + random.nextInt(random.nextInt(5) == 0 ? 40 : 2);
        int to = Math.min(bytes.length, at + count);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1, 2 -> bytes[at] = MEANINGFUL[random.nextInt(MEANINGFUL.length)];
            case 3 -> {
                return join(bytes, at, new byte[] {MEANINGFUL[random.nextInt(MEANINGFUL.length)]}, at);
            }
            case 4 -> {
                return join(bytes, at, new byte[0], to);
            }
            default -> {
                return join(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
            }
        }
        return bytes;
    }

    private static byte[] join(byte[] bytes, int from, byte[] middle, int to) {
        byte[] joined = Arrays.copyOf(bytes, from + middle.length + bytes.length - to);
        System.arraycopy(middle, 0, joined, from, middle.length);
        System.arraycopy(bytes, to, joined, from + middle.length, bytes.length - to);
        return joined;
    }
}
