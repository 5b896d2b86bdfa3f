/// Folder sync between two processes: sender and receiver over links.
///
/// [SendSession] and [ReceiveSession] run one session each. What a side does is decided by a machine that neither waits
/// nor touches anything ([SenderMachine], [ReceiverMachine]): events in, effects out, owned by the session's thread.
/// Around it stand a reader and a writer for each link ([LinkReader], [LinkWriter], [Outgoing]), and workers for what
/// a disk does: on the sending side the [Scanner] and [ContentWorker]s, on the receiving side the [Comparer],
/// [BlockWorker]s and the [Committer].
///
/// Public: [SendSession], [Names], [Joining], [ReceiverHost], [ReceiverDial], [SenderHost], [Gate],
/// [Refusal], [Target], [Tuning], [Meter], [SentParts], [SessionEvents], [SessionEnd], [SessionIds].
package postroad.sync.peer;
