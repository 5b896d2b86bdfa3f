package postroad.sync.peer;

import java.util.concurrent.atomic.LongAdder;

/// How far a session is, for whoever shows progress. Written by the session's threads, read by any.
///
/// Bytes are bytes of file content, not of the wire, except where said.
public final class Meter {
    /// What a session does at the moment.
    public enum Phase {
        /// Finding the peer.
        CONNECTING,
        /// Walking the tree, comparing, and sending what is known to be needed already.
        SCANNING,
        /// All is compared; what is needed is under way.
        SENDING,
        /// The last files are made safe on the disk.
        COMMITTING,
        /// What the sender does not have is deleted.
        DELETING,
        /// It is over.
        ENDED
    }

    private volatile Phase phase = Phase.CONNECTING;
    final LongAdder entries = new LongAdder();
    final LongAdder entryBytes = new LongAdder();
    final LongAdder wantedFiles = new LongAdder();
    final LongAdder wantedBytes = new LongAdder();
    final LongAdder settledFiles = new LongAdder();
    private final UnderWay underWay = new UnderWay();
    private final SentParts parts;
    final LongAdder contentBytes = new LongAdder();
    final LongAdder reusedBytes = new LongAdder();
    final LongAdder copyingBytes = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder linkReceived = new LongAdder();
    final LongAdder linkSent = new LongAdder();

    /// For a session on its own.
    public Meter() {
        this(new SentParts());
    }

    /// For one of several sessions of a sender.
    ///
    /// @param parts what all of them sent
    public Meter(SentParts parts) {
        this.parts = parts;
    }

    SentParts parts() {
        return parts;
    }

    UnderWay underWay() {
        return underWay;
    }

    /// Files of which nobody knows yet how much has to travel: they are compared with what the
    /// receiver has.
    ///
    /// @param files how many
    /// @param bytes their sizes
    /// @param read how much this side has read for it
    public record Comparing(long files, long bytes, long read) {}

    /// All that is known at a moment; each number for itself.
    ///
    /// @param phase what it does
    /// @param entries names seen so far
    /// @param entryBytes bytes of the files seen so far
    /// @param wantedFiles files found to need something so far
    /// @param wantedBytes the sizes of these files
    /// @param settledFiles of them, files that are done or have failed
    /// @param movedBytes see [Meter#movedBytes]
    /// @param contentBytes see [Meter#contentBytes]
    /// @param comparing files that are compared
    /// @param reusedBytes see [Meter#reusedBytes]
    /// @param copyingBytes see [Meter#copyingBytes]
    public record Reading(
            Phase phase,
            long entries,
            long entryBytes,
            long wantedFiles,
            long wantedBytes,
            long settledFiles,
            long movedBytes,
            long contentBytes,
            Comparing comparing,
            long reusedBytes,
            long copyingBytes) {}

    /// What it is at.
    public Reading read() {
        // In an order in which no number is ahead of one that it is a part of.
        long settled = settledFiles();
        long wanted = wantedFiles();
        UnderWay.State state = underWay.state();
        return new Reading(
                phase(),
                entries(),
                entryBytes(),
                wanted,
                wantedBytes(),
                settled,
                state.moved(),
                contentBytes(),
                state.comparing(),
                reusedBytes(),
                copyingBytes());
    }

    /// What it does now.
    public Phase phase() {
        return phase;
    }

    void phase(Phase now) {
        phase = now;
    }

    /// Names seen so far.
    public long entries() {
        return entries.sum();
    }

    /// Bytes of the files seen so far.
    public long entryBytes() {
        return entryBytes.sum();
    }

    /// Files found to need something so far.
    public long wantedFiles() {
        return wantedFiles.sum();
    }

    /// The sizes of these files.
    public long wantedBytes() {
        return wantedBytes.sum();
    }

    /// Of them, files that are done or have failed.
    public long settledFiles() {
        return settledFiles.sum();
    }

    /// Bytes of the wanted files that are done, or of which so much has moved at least: was written
    /// to a connection (on the sender's side), has arrived (on the receiver's), or was at the
    /// receiver already, as soon as that is known.
    public long movedBytes() {
        return underWay.state().moved();
    }

    /// Content that travelled: on the sender's side was written to a connection, on the receiver's was taken from one.
    public long contentBytes() {
        return contentBytes.sum();
    }

    /// Content that the receiver had already and has copied to its place.
    public long reusedBytes() {
        return reusedBytes.sum();
    }

    /// Content that the receiver had already and has to copy yet; only the receiver's side knows.
    public long copyingBytes() {
        return Math.max(0, copyingBytes.sum());
    }

    /// Names that failed.
    public long failures() {
        return failures.sum();
    }

    /// Bytes that came over the links, frames and all, before encryption.
    public long linkReceived() {
        return linkReceived.sum();
    }

    /// Bytes that went over the links, frames and all, before encryption.
    public long linkSent() {
        return linkSent.sum();
    }
}
