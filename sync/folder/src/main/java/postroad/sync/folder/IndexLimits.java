package postroad.sync.folder;

/// How large one tree's index may become.
///
/// @param files rows of files; beyond it those that were remembered first go
/// @param chunks places of chunks; beyond it files go likewise
/// @param mapBytes what the data file may grow to whatever is in it; one that is full is thrown away
/// @param checkedBytes up to which size the data file is looked at as a whole before it is used
record IndexLimits(long files, long chunks, long mapBytes, long checkedBytes) {
    static final IndexLimits DEFAULT = new IndexLimits(1_000_000, 8_000_000, 16L << 30, 64L << 20);
}
