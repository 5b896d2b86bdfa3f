package postroad.app.transfer;

/// What an export wrote: how many events, and the sequence number of the moment it shows.
public record ExportSummary(long events, long sequence) {}
