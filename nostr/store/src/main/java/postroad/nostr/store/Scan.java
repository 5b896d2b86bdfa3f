package postroad.nostr.store;

/// A planned query and how far it has come. Owned by one thread at a time.
///
/// Rows come newest first, ties by lowest id, each event once, over all filters together; every filter's own limit
/// holds. The exception to both is what [Snapshot#run] says of replacements.
public interface Scan {
    /// The sequence number of the first snapshot it ran in: rows are at or below it, apart from the replacements that
    /// [Snapshot#run] describes. Zero before the first run.
    long watermark();

    /// Replacements with a sequence number up to this one were handed over already, if they matched; the live side
    /// leaves them out. Equal to [#watermark] when the scan needed one snapshot only.
    long replacedUpTo();

    /// How many index entries were looked at so far.
    long examined();

    /// How many rows were handed over so far.
    long rows();

    /// What is known of rows beyond the limits, once the scan is done (NIP-67).
    Completeness completeness();

    /// Whether everything that matches was handed over.
    enum Completeness {
        /// Everything was.
        FINISHED,
        /// At least one more row matches.
        MORE,
        /// Not known.
        UNKNOWN
    }
}
