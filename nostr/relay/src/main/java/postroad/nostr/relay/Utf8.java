package postroad.nostr.relay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Tells whether bytes are well-formed UTF-8 (RFC 3629): shortest form, no surrogates, nothing above
/// U+10FFFF.
final class Utf8 {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /// Whether `bytes` from `from` to `to` are well-formed.
    static boolean isWellFormed(byte[] bytes, int from, int to) {
        int at = from;
        while (true) {
            at = skipAscii(bytes, at, to);
            if (at == to) {
                return true;
            }
            at = skipSequence(bytes, at, to);
            if (at < 0) {
                return false;
            }
        }
    }

    private static int skipAscii(byte[] bytes, int from, int to) {
        int at = from;
        while (to - at >= Long.BYTES && ((long) WORD.get(bytes, at) & HIGH_BITS) == 0) {
            at += Long.BYTES;
        }
        while (at < to && bytes[at] >= 0) {
            at++;
        }
        return at;
    }

    /// Where the sequence at `at` ends, or −1 when it is malformed.
    private static int skipSequence(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return -1;
        }
        int end = at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
        if (end > to || !isSecond(lead, bytes[at + 1] & 0xff)) {
            return -1;
        }
        for (int i = at + 2; i < end; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return -1;
            }
        }
        return end;
    }

    private static boolean isSecond(int lead, int second) {
        return switch (lead) {
            case 0xe0 -> second >= 0xa0 && second <= 0xbf;
            case 0xed -> second >= 0x80 && second <= 0x9f;
            case 0xf0 -> second >= 0x90 && second <= 0xbf;
            case 0xf4 -> second >= 0x80 && second <= 0x8f;
            default -> second >= 0x80 && second <= 0xbf;
        };
    }
}
