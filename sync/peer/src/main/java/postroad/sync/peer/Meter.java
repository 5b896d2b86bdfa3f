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
    final LongAdder settledBytes = new LongAdder();
    private final SentParts parts;
    final LongAdder underWayBytes = new LongAdder();
    final LongAdder arrivedBytes = new LongAdder();
    final LongAdder contentBytes = new LongAdder();
    final LongAdder reusedBytes = new LongAdder();
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

    /// The sizes of these.
    public long settledBytes() {
        return settledBytes.sum();
    }

    /// Bytes of the wanted files that are done, or of which so much has moved at least: on the sender's side was
    /// written to a connection, on the receiver's has arrived or was here.
    public long movedBytes() {
        long sent = settledBytes() + underWayBytes.sum();
        return Math.min(wantedBytes(), Math.max(sent, arrivedBytes.sum()));
    }

    /// Content that travelled: on the sender's side was written to a connection, on the receiver's was taken from one.
    public long contentBytes() {
        return contentBytes.sum();
    }

    /// Content that the receiver had already.
    public long reusedBytes() {
        return reusedBytes.sum();
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
