package postroad.nostr.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// A block of addresses: the first `bits` bits are given (`10.0.0.0/8`, `2001:db8::/32`, or one address).
final class AddressBlock {
    private final byte[] start;
    private final int bits;

    private AddressBlock(byte[] start, int bits) {
        this.start = start;
        this.bits = bits;
    }

    /// Reads an address or a CIDR block.
    ///
    /// @throws IllegalArgumentException if `text` is neither
    static AddressBlock parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] start = literal(address);
        int bits = slash < 0 ? 8 * start.length : bits(text, slash + 1);
        if (bits < 0 || bits > 8 * start.length) {
            throw new IllegalArgumentException("not an address or a CIDR block: " + text);
        }
        return new AddressBlock(start, bits);
    }

    /// The bytes of a literal address; no name is looked up.
    ///
    /// @throws IllegalArgumentException if it is none
    static byte[] literal(String address) {
        boolean looksRight = !address.isEmpty()
                && address.chars().allMatch(c -> Character.digit(c, 16) >= 0 || c == '.' || c == ':')
                && (address.indexOf(':') >= 0
                        || address.chars().filter(c -> c == '.').count() == 3);
        if (!looksRight) {
            throw new IllegalArgumentException("not an address: " + address);
        }
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address: " + address, e);
        }
    }

    /// Whether the address lies in the block.
    boolean contains(byte[] address) {
        if (address.length != start.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(start, 0, whole, address, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        return rest == 0 || ((start[whole] ^ address[whole]) & 0xff) >>> (8 - rest) == 0;
    }

    private static int bits(String text, int from) {
        try {
            return Integer.parseInt(text, from, text.length(), 10);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
