/// Folder sync without files, sockets, threads or clocks: names, entries, chunks, recipes and the bytes
/// of the protocol.
///
/// Public: names and entries ([TreePath], [LinkTarget], [Kind], [Entry], [Shown]); content
/// ([ChunkClass], [Chunker], [ShortId], [Recipe], [ShortRecipe], [RootHash], [FileVersion], [FileEnd],
/// [RootClaim], [Segment]); the protocol ([Frame] and what is in its frames: [SessionId], [Role], [StopCode],
/// [WantedFile],
/// [ChunkRange], [Outcome], [FailureCode], [Deletion]; [FrameCodec], [ProtocolException], [Page], [Window]);
/// what a session was asked for ([SessionOptions], [Compression], [PatternList], [PatternLine]); how it
/// is compared and paced ([Comparison], [Local], [Verdict], [SendWindow], [ReceiveWindow]).
package postroad.sync.core;
