package postroad.nostr.store;

/// The sub-databases of a store; `docs/storage/format.md` draws their keys and values.
enum Table {
    /// Format version and sequence.
    META("meta", 0),
    /// Sequence → packed event.
    EVENT("event", 8),
    /// Id → reference.
    ID("id", 32),
    /// Everything, newest first.
    TIME("time", Keys.ORDER),
    /// By author, newest first.
    AUTHOR("author", 32 + Keys.ORDER),
    /// By kind, newest first.
    KIND("kind", 2 + Keys.ORDER),
    /// By author and kind, newest first.
    AUTHOR_KIND("author-kind", 34 + Keys.ORDER),
    /// By a tag's letter and value, newest first.
    TAG("tag", 17 + Keys.ORDER),
    /// Address → newest version.
    ADDRESS("address", Keys.ADDRESS),
    /// By expiration, soonest first.
    EXPIRY("expiry", 16),
    /// What was asked to be gone, and must not come back.
    TOMBSTONE("tombstone", 0);

    private static final Table[] ALL = values();

    private final String title;
    private final int keyLength;

    Table(String title, int keyLength) {
        this.title = title;
        this.keyLength = keyLength;
    }

    /// The sub-database's name in the file.
    String title() {
        return title;
    }

    /// Length of every key, 0 where they differ.
    int keyLength() {
        return keyLength;
    }

    /// Whether it is an index in the order of time, whose keys end in [Keys#ORDER] bytes.
    boolean isOrdered() {
        return this == TIME || this == AUTHOR || this == KIND || this == AUTHOR_KIND || this == TAG;
    }

    static int count() {
        return ALL.length;
    }

    static Table at(int ordinal) {
        return ALL[ordinal];
    }
}
