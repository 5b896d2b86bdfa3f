package postroad.nostr.store;

/// What one run of a scan may use: rows, bytes of their JSON, and time. At least one step is made whatever the budget.
///
/// @param rows most rows
/// @param bytes most bytes of JSON; the row that reaches it is still handed over
/// @param nanos most nanoseconds, looked at every few steps
public record Budget(int rows, long bytes, long nanos) {
    /// No bound at all.
    public static final Budget UNLIMITED = new Budget(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
}
