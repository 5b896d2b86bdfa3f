package postroad.sync.core;

/// Which session a link belongs to: 16 random bytes that the sender draws, secret until the links are
/// joined.
public record SessionId(long high, long low) {
    /// Length in bytes.
    public static final int LENGTH = 16;

    /// 32 lower-case hex digits.
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
