package postroad.nostr.relay;

/// A bound on a rate, averaged over [#SECONDS]: tokens come in steadily, each act takes one. Any thread may
/// call.
final class TokenBucket {
    /// How many seconds' worth may be used at once.
    static final int SECONDS = 5;

    private static final double NANOS = 1e9;

    private final double perNano;
    private final double capacity;
    private double tokens;
    private long last;

    TokenBucket(int perSecond, long now) {
        this.perNano = perSecond / NANOS;
        this.capacity = (double) perSecond * SECONDS;
        this.tokens = capacity;
        this.last = now;
    }

    /// Takes a token if there is one.
    synchronized boolean tryTake(long now) {
        refill(now);
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    /// Whether nothing is owed, so that a new bucket would behave the same.
    synchronized boolean isFull(long now) {
        refill(now);
        return tokens >= capacity;
    }

    private void refill(long now) {
        tokens = Math.min(capacity, tokens + Math.max(0, now - last) * perNano);
        last = now;
    }
}
