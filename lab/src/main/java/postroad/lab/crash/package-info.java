/// Proofs that an acknowledged event survives: a kill of the process, and a loss of power.
///
/// A kill leaves the kernel's cache alone, so it proves nothing about syncs. For those a preloaded library
/// writes down every effect on the store's files ([Recorder]); [Disk] replays the record up to a point,
/// forgets, reorders and tears what no sync had made safe, and lays out the files as a power cut could have
/// left them. [PowerLoss] and [Kills] are the trials. Public: [Recorder], [Operation], [OperationLog],
/// [Disk], [Loss], [PowerLoss], [FaultyDisk], [StoreWriter], [Kills].
package postroad.lab.crash;
