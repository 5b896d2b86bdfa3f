package postroad.nostr.core;

/// Writes what a relay says to a client, as the bytes of one text frame. See [RelayMessage].
public final class RelayMessages {
    private RelayMessages() {}

    /// `["OK", id, accepted, text]`.
    public static byte[] ok(EventId id, boolean accepted, String text) {
        return ok(id.hex(), accepted, text);
    }

    /// `["OK", id, accepted, text]` with the id as the client wrote it.
    public static byte[] ok(String id, boolean accepted, String text) {
        return text("[\"OK\",")
                .string(id)
                .raw(accepted ? ",true," : ",false,")
                .string(text)
                .raw("]")
                .toBytes();
    }

    /// `["EOSE", subscription]`.
    public static byte[] eose(String subscription) {
        return text("[\"EOSE\",").string(subscription).raw("]").toBytes();
    }

    /// `["EOSE", subscription, [hint]]` (NIP-67).
    public static byte[] eose(String subscription, String hint) {
        return text("[\"EOSE\",")
                .string(subscription)
                .raw(",[")
                .string(hint)
                .raw("]]")
                .toBytes();
    }

    /// `["CLOSED", subscription, text]`.
    public static byte[] closed(String subscription, String text) {
        return text("[\"CLOSED\",")
                .string(subscription)
                .raw(",")
                .string(text)
                .raw("]")
                .toBytes();
    }

    /// `["NOTICE", text]`.
    public static byte[] notice(String text) {
        return text("[\"NOTICE\",").string(text).raw("]").toBytes();
    }

    /// `["AUTH", challenge]` (NIP-42).
    public static byte[] auth(String challenge) {
        return text("[\"AUTH\",").string(challenge).raw("]").toBytes();
    }

    /// `["COUNT", subscription, {"count": count}]` (NIP-45).
    public static byte[] count(String subscription, long count) {
        return text("[\"COUNT\",")
                .string(subscription)
                .raw(",{\"count\":")
                .number(count)
                .raw("}]")
                .toBytes();
    }

    /// `["NEG-ERR", subscription, text]` (NIP-77).
    public static byte[] negError(String subscription, String text) {
        return text("[\"NEG-ERR\",")
                .string(subscription)
                .raw(",")
                .string(text)
                .raw("]")
                .toBytes();
    }

    /// What stands before an event's JSON in `["EVENT", subscription, event]`; a `]` comes after it.
    public static byte[] eventPrefix(String subscription) {
        return text("[\"EVENT\",").string(subscription).raw(",").toBytes();
    }

    private static CanonicalText text(String begin) {
        return new CanonicalText(128).raw(begin);
    }
}
