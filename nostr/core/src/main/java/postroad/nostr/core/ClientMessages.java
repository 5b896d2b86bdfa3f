package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/// Writes what a client says to a relay, as the bytes of one text frame. See [ClientMessage].
public final class ClientMessages {
    private ClientMessages() {}

    /// `["EVENT", event]`.
    public static byte[] event(Event event) {
        return new CanonicalText(event.jsonLength() + 16)
                .raw("[\"EVENT\",")
                .event(event)
                .raw("]")
                .toBytes();
    }

    /// `["AUTH", event]` (NIP-42).
    public static byte[] auth(Event event) {
        return new CanonicalText(event.jsonLength() + 16)
                .raw("[\"AUTH\",")
                .event(event)
                .raw("]")
                .toBytes();
    }

    /// `["REQ", subscription, filter, …]`.
    public static byte[] req(String subscription, List<Filter> filters) {
        return query("[\"REQ\",", subscription, filters);
    }

    /// `["COUNT", subscription, filter, …]` (NIP-45).
    public static byte[] count(String subscription, List<Filter> filters) {
        return query("[\"COUNT\",", subscription, filters);
    }

    /// `["REQ", subscription, filter, …]` of filters that are JSON objects already, sent as they are.
    public static byte[] reqAsGiven(String subscription, List<String> filters) {
        return asGiven("[\"REQ\",", subscription, filters);
    }

    /// `["COUNT", subscription, filter, …]` of filters that are JSON objects already, sent as they are.
    public static byte[] countAsGiven(String subscription, List<String> filters) {
        return asGiven("[\"COUNT\",", subscription, filters);
    }

    /// `["CLOSE", subscription]`.
    public static byte[] close(String subscription) {
        return new CanonicalText(96)
                .raw("[\"CLOSE\",")
                .string(subscription)
                .raw("]")
                .toBytes();
    }

    private static byte[] query(String begin, String subscription, List<Filter> filters) {
        CanonicalText text = new CanonicalText(256).raw(begin).string(subscription);
        for (Filter filter : filters) {
            FilterWriter.write(filter, text.raw(","));
        }
        return text.raw("]").toBytes();
    }

    private static byte[] asGiven(String begin, String subscription, List<String> filters) {
        CanonicalText text = new CanonicalText(256).raw(begin).string(subscription);
        for (String filter : filters) {
            byte[] json = filter.getBytes(UTF_8);
            text.raw(",").raw(json, 0, json.length);
        }
        return text.raw("]").toBytes();
    }
}
