package postroad.wire;

/// What a [WebSocketLink] receives.
public sealed interface LinkMessage {
    /// A text message, fragments joined. The bytes are as they came: whoever parses them checks that they are UTF-8.
    /// The array is the receiver's own.
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared; a copy would cost each message one more
    record Text(byte[] utf8) implements LinkMessage {}

    /// A binary message, fragments joined. The array is the receiver's own.
    @SuppressWarnings("ArrayRecordComponent") // as above
    record Binary(byte[] bytes) implements LinkMessage {}

    /// The link has ended; nothing comes after it. The code is the peer's, or 1006 when it just went away, or the one
    /// with which this side gave up on a peer that broke the protocol.
    record Closed(int code, String reason) implements LinkMessage {}
}
