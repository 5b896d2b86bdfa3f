package postroad.sync.folder;

/// How many more names may go for what takes their place.
final class Allowance {
    private long left;

    Allowance(long most) {
        left = most;
    }

    long left() {
        return left;
    }

    void take(long count) {
        left -= count;
    }
}
