package postroad.nostr.store;

import postroad.nostr.core.Filter;

/// One filter's part in a scan: how many rows it may still take, and whether it looks for one beyond (NIP-67).
final class Branch {
    /// How many entries are looked at for a row beyond the limit before the answer is "not known".
    private static final int MOST_BEYOND = 128;

    private final Filter filter;
    private long left;
    private int beyond = MOST_BEYOND;
    private boolean open = true;
    private long group;

    /// @param limit most rows; [Long#MAX_VALUE] for all
    Branch(Filter filter, long limit) {
        this.filter = filter;
        this.left = limit;
    }

    Filter filter() {
        return filter;
    }

    /// Whether it still wants to see entries.
    boolean isOpen() {
        return open;
    }

    void close() {
        open = false;
    }

    /// How many rows it may still take.
    long left() {
        return left;
    }

    /// Whether the limit is used up.
    boolean isFull() {
        return left == 0;
    }

    /// Takes one row of the limit.
    void take() {
        if (left > 0) {
            left--;
        }
    }

    /// Counts one look beyond the limit; false when there were enough.
    boolean mayLookBeyond() {
        return beyond-- > 0;
    }

    /// Whether this is the first entry of the group that it sees: an event with two of the wanted tags comes twice.
    boolean enter(long number) {
        if (group == number) {
            return false;
        }
        group = number;
        return true;
    }
}
