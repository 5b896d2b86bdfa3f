package postroad.nostr.core;

import java.util.List;

/// What a relay says to a client (NIP-01, NIP-42, NIP-45, NIP-67), as a client reads it.
public sealed interface RelayMessage {
    /// `["EVENT", id, event]`.
    record Matched(String id, Event event) implements RelayMessage {}

    /// `["OK", event id, accepted, text]`.
    record Ok(String eventId, boolean accepted, String text) implements RelayMessage {}

    /// `["EOSE", id]`, with NIP-67's hints where there are any.
    record Eose(String id, List<String> hints) implements RelayMessage {
        /// Copies the list.
        public Eose {
            hints = List.copyOf(hints);
        }
    }

    /// `["CLOSED", id, text]`.
    record Closed(String id, String text) implements RelayMessage {}

    /// `["COUNT", id, {"count": n}]`.
    record Counted(String id, long count, boolean approximate) implements RelayMessage {}

    /// `["AUTH", challenge]`.
    record Challenge(String challenge) implements RelayMessage {}

    /// `["NOTICE", text]`.
    record Notice(String text) implements RelayMessage {}

    /// Anything else, with why it was not understood.
    record Unreadable(String reason) implements RelayMessage {}
}
