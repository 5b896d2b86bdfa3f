package postroad.nostr.client;

import postroad.nostr.core.Filter;

/// A filter that goes to the relay as it was written, whatever that relay may know that this library does not.
///
/// @param json a JSON object
/// @param checked what events that come back are compared with: the part of it that is known here
public record GivenFilter(String json, Filter checked) {}
