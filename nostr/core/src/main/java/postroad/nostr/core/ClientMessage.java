package postroad.nostr.core;

import java.util.List;

/// What a client says to a relay (NIP-01, NIP-42, NIP-45), or what it tried to say.
///
/// The refusals carry the caller's own id as far as it could be read, so that the answer can name it.
public sealed interface ClientMessage {
    /// `["EVENT", event]`, the id checked, the signature not.
    record Publish(Event event) implements ClientMessage {}

    /// An EVENT that is refused as it stands: answered with `["OK", id, false, reason]`; `id` is empty when none was
    /// readable, and the reason begins with its prefix.
    record PublishRefused(String id, String reason) implements ClientMessage {}

    /// `["REQ", id, filter, …]`.
    record Req(String id, List<Filter> filters) implements ClientMessage {}

    /// `["COUNT", id, filter, …]`.
    record Count(String id, List<Filter> filters) implements ClientMessage {}

    /// A REQ or COUNT that is refused as it stands: answered with `["CLOSED", id, reason]`.
    record QueryRefused(String id, String reason) implements ClientMessage {}

    /// `["CLOSE", id]`.
    record Close(String id) implements ClientMessage {}

    /// `["AUTH", event]`, the id checked, the signature not.
    record Auth(Event event) implements ClientMessage {}

    /// An AUTH that is refused as it stands: answered with `["OK", id, false, reason]`.
    record AuthRefused(String id, String reason) implements ClientMessage {}

    /// A verb that this relay does not serve; `id` is the message's second element when that is a string, else empty.
    record UnknownVerb(String verb, String id) implements ClientMessage {}

    /// Not a message at all: answered with `["NOTICE", reason]`.
    record Unreadable(String reason) implements ClientMessage {}
}
