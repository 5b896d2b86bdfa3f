package postroad.sync.core;

/// A file that the receiver asks for.
///
/// @param id its number in the stream of entries
/// @param recipe whether it wants the recipe first, and then what it misses, instead of the whole
///     content
/// @param link the link that all of its content must come over; [#ANY_LINK] when it does not matter
public record WantedFile(long id, boolean recipe, int link) {
    /// Any link will do.
    public static final int ANY_LINK = -1;

    /// Checks the ranges.
    public WantedFile {
        if (id < 0 || link < ANY_LINK || link >= SessionOptions.MAX_PARALLEL) {
            throw new IllegalArgumentException("no wanted file: id " + id + ", link " + link);
        }
    }
}
