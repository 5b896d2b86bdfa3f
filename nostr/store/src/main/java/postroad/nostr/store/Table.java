package postroad.nostr.store;

/// The sub-databases of a store; `docs/storage/format.md` draws their keys and values.
enum Table {
    /// Format version and sequence.
    META(0, "meta", 0),
    /// Sequence → packed event.
    EVENT(1, "event", 8),
    /// Id → reference.
    ID(2, "id", 32),
    /// Everything, newest first.
    TIME(3, "time", Keys.ORDER),
    /// By author, newest first.
    AUTHOR(4, "author", 32 + Keys.ORDER),
    /// By kind, newest first.
    KIND(5, "kind", 2 + Keys.ORDER),
    /// By author and kind, newest first.
    AUTHOR_KIND(6, "author-kind", 34 + Keys.ORDER),
    /// By a tag's letter and value, newest first.
    TAG(7, "tag", 17 + Keys.ORDER),
    /// Address → newest version.
    ADDRESS(8, "address", Keys.ADDRESS),
    /// By expiration, soonest first.
    EXPIRY(9, "expiry", 16),
    /// What was asked to be gone, and must not come back.
    TOMBSTONE(10, "tombstone", 0);

    private static final Table[] ALL = values();

    private final int index;
    private final String title;
    private final int keyLength;

    Table(int index, String title, int keyLength) {
        this.index = index;
        this.title = title;
        this.keyLength = keyLength;
    }

    /// Its place among the tables, from 0.
    int index() {
        return index;
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

    static Table at(int index) {
        return ALL[index];
    }
}
