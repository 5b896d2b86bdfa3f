package postroad.sync.core;

/// What became of an entry at the receiver, or would become in a dry run.
///
/// @param id its number in the stream of entries
/// @param changes the sum of what changed: [#CREATED] and so on
public record Outcome(long id, int changes) {
    /// Nothing was at its place.
    public static final int CREATED = 1;
    /// Its content.
    public static final int CONTENT = 2;
    /// Its modification time.
    public static final int TIME = 4;
    /// Its permission bits.
    public static final int MODE = 8;
    /// What the link names.
    public static final int TARGET = 16;
    /// Something of another kind was at its place.
    public static final int REPLACED = 32;
    /// All of them.
    public static final int ALL = 63;

    /// Checks the ranges.
    public Outcome {
        if (id < 0 || changes < 0 || changes > ALL) {
            throw new IllegalArgumentException("no outcome: id " + id + ", changes " + changes);
        }
    }

    /// Whether all bits of `change` are in it.
    public boolean has(int change) {
        return (changes & change) == change;
    }
}
