package postroad.wire;

/// Who this side is: a private key and its self-signed certificate.
public final class Identity {
    private Identity() {}
}
