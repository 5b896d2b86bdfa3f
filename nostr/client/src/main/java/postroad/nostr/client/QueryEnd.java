package postroad.nostr.client;

import java.util.List;

/// How a query ended.
public sealed interface QueryEnd {
    /// All stored events were sent (EOSE), with the relay's hints where it gives any (NIP-67: `finish` says that
    /// nothing matches beyond the limit).
    record Finished(List<String> hints) implements QueryEnd {
        /// Copies the list.
        public Finished {
            hints = List.copyOf(hints);
        }
    }

    /// The relay refused or gave up (CLOSED): its text, which begins with a machine-readable word.
    record Refused(String text) implements QueryEnd {}
}
