/// The event store: what a relay keeps, behind [EventStore], and LMDB as the one implementation.
///
/// Order is newest first, ties by lowest id, the same through every index. Writes are one transaction with one sync per
/// batch, by one thread. Reads happen in snapshots that live for about a millisecond; a [Scan] resumes by key in the
/// next one. Public: [EventStore], [StoreReader], [Snapshot], [Scan], [Budget], [RowSink], [WriteOutcome],
/// [WriteResult], [StoreInfo], [StoreException], [LmdbStore], [StoreOptions], [StoreCheck].
package postroad.nostr.store;
