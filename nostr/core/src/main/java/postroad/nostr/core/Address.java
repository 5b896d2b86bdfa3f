package postroad.nostr.core;

import java.util.Optional;
import postroad.common.Bytes32;

/// The place that versions of a replaceable or addressable event share: `kind:pubkey:d` (NIP-01, "a" tag).
///
/// `d` is empty for replaceable kinds.
public record Address(int kind, PublicKey author, String d) {
    /// Reads the text of an `a` tag; empty when it is malformed or the kind has no address.
    public static Optional<Address> parse(String text) {
        int first = text.indexOf(':');
        int second = first < 0 ? -1 : text.indexOf(':', first + 1);
        if (second != first + 1 + 2 * Bytes32.LENGTH || first < 1 || first > 5) {
            return Optional.empty();
        }
        int kind = 0;
        for (int i = 0; i < first; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return Optional.empty();
            }
            kind = kind * 10 + (c - '0');
        }
        TagValue author = TagValue.of(text.substring(first + 1, second));
        boolean leadingZero = first > 1 && text.charAt(0) == '0';
        if (leadingZero
                || kind > 65_535
                || !author.isRaw()
                || !KindClass.of(kind).supersedes()) {
            return Optional.empty();
        }
        String d = text.substring(second + 1);
        if (KindClass.of(kind) == KindClass.REPLACEABLE && !d.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Address(kind, new PublicKey(author.bytes32()), d));
    }
}
