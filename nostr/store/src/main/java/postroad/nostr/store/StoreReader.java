package postroad.nostr.store;

/// One thread's way to read: a read transaction that is renewed for each snapshot.
public interface StoreReader extends AutoCloseable {
    /// Opens a snapshot of what is committed now. One at a time: close it before the next.
    ///
    /// @throws StoreException when the store is closed or broken
    Snapshot open();

    /// Gives the transaction back.
    @Override
    void close();
}
