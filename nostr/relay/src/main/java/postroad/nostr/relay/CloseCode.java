package postroad.nostr.relay;

/// Why a WebSocket connection ends, as its close frame says (RFC 6455, 7.4).
enum CloseCode {
    NORMAL(1000),
    GOING_AWAY(1001),
    PROTOCOL_ERROR(1002),
    NOT_UNDERSTOOD(1003),
    NOT_UTF8(1007),
    POLICY(1008),
    TOO_BIG(1009),
    TRY_AGAIN_LATER(1013);

    private final int number;

    CloseCode(int number) {
        this.number = number;
    }

    /// The number on the wire.
    int number() {
        return number;
    }

    /// Whether a peer may send `number` in a close frame.
    static boolean isLegal(int number) {
        return number >= 1000 && number <= 1003 || number >= 1007 && number <= 1014 || number >= 3000 && number <= 4999;
    }
}
