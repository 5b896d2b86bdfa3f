/// Folder sync on the disk: walking a tree, staging, commit, and the memory of what was hashed.
///
/// Public: [Tree] with [FileHandle], [EntryStat], [TreeException] and [Reason]; [Walker] with [Item]
/// and [EntryFilter]; [Staging] with [StagedFile], [Leftover], [Change] and [Result]; [ChunkMemory]
/// with [ChunkIndex] and [NoMemory], [LazyMemory]; [Spelling].
package postroad.sync.folder;
