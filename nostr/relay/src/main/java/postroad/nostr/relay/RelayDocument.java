package postroad.nostr.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/// What the relay tells of itself: the NIP-11 document, and a page with the same facts for people who open
/// the address in a browser.
///
/// Every number is the one that is enforced. Limits for which NIP-11 has no word are stated beside its own
/// ones under names of the same form; clients skip what they do not know. `max_content_length` is left out:
/// it counts characters, and what is bounded here is bytes, `max_content_bytes`.
final class RelayDocument {
    private static final String SOFTWARE = "urn:postroad:relay";
    private static final int AUTH = 42;

    private final RelayConfig config;

    RelayDocument(RelayConfig config) {
        this.config = config;
    }

    /// The NIPs served.
    static List<Integer> nips(AuthMode auth) {
        return Stream.of(1, 9, 11, 40, AUTH, 45, 62, 67, 70, 91)
                .filter(nip -> nip != AUTH || auth != AuthMode.OFF)
                .toList();
    }

    /// The NIP-11 document.
    byte[] json() {
        RelayInfo info = config.info();
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("name", info.name());
        document.put("description", info.description());
        info.icon().ifPresent(icon -> document.put("icon", icon));
        info.pubkey().ifPresent(key -> document.put("pubkey", key));
        info.contact().ifPresent(contact -> document.put("contact", contact));
        var nips = document.putArray("supported_nips");
        nips(config.auth()).forEach(nips::add);
        document.put("software", SOFTWARE);
        document.put("version", info.version());
        info.privacyPolicy().ifPresent(url -> document.put("privacy_policy", url));
        info.termsOfService().ifPresent(url -> document.put("terms_of_service", url));
        info.postingPolicy().ifPresent(url -> document.put("posting_policy", url));
        document.set("limitation", limitation());
        try {
            return new ObjectMapper().writeValueAsBytes(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectNode limitation() {
        Limits limits = config.limits();
        ObjectNode limitation = JsonNodeFactory.instance.objectNode();
        limitation.put("max_message_length", limits.messageBytes());
        limitation.put("max_subscriptions", limits.subscriptions());
        limitation.put("max_subid_length", limits.subscriptionIdLength());
        limitation.put("max_limit", limits.maxLimit());
        limitation.put("default_limit", limits.defaultLimit());
        limitation.put("max_event_tags", limits.event().maxTags());
        limitation.put("min_pow_difficulty", 0);
        limitation.put("auth_required", config.auth() == AuthMode.REQUIRED);
        limitation.put("payment_required", false);
        limitation.put("restricted_writes", false);
        if (limits.futureSeconds() > 0) {
            limitation.put("created_at_upper_limit", limits.futureSeconds());
        }
        if (limits.pastSeconds() > 0) {
            limitation.put("created_at_lower_limit", limits.pastSeconds());
        }
        putOwnWords(limitation, limits);
        return limitation;
    }

    private static void putOwnWords(ObjectNode limitation, Limits limits) {
        limitation.put("max_event_bytes", limits.event().maxBytes());
        limitation.put("max_content_bytes", limits.event().maxContentBytes());
        limitation.put("max_tag_value_bytes", limits.event().maxTagValueBytes());
        limitation.put("max_filters", limits.filters());
        limitation.put("max_filter_values", limits.filterValues());
        limitation.put("max_open_filter_values", QueryPolicy.openFilterValues(limits));
        limitation.put("max_scan_entries", limits.scanEntries());
        limitation.put("max_unread_bytes", limits.outboxBytes());
        limitation.put("max_unanswered_event_bytes", limits.ingestBytes());
        limitation.put("max_connections", limits.connections());
        limitation.put("max_connections_per_address", limits.connectionsPerAddress());
        limitation.put("max_counts", Counts.MOST);
        limitation.put("max_count_wait_seconds", Counts.MOST_WAIT_SECONDS);
        limitation.put("max_auth_keys", Authentication.MOST_KEYS);
        if (limits.eventsPerSecond() > 0) {
            limitation.put("max_events_per_second", limits.eventsPerSecond());
        }
        if (limits.requestsPerSecond() > 0) {
            limitation.put("max_requests_per_second", limits.requestsPerSecond());
        }
    }

    /// The page, complete in itself: nothing is loaded from elsewhere. `url` is where clients connect.
    String page(String url) {
        RelayInfo info = config.info();
        Limits limits = config.limits();
        StringBuilder rows = new StringBuilder();
        row(rows, "message", limits.messageBytes() + " bytes");
        row(
                rows,
                "event",
                limits.event().maxBytes() + " bytes, " + limits.event().maxTags() + " tags");
        row(rows, "filters in a request", limits.filters());
        row(rows, "values in a filter", limits.filterValues());
        row(rows, "open subscriptions", limits.subscriptions());
        row(rows, "filter values of them all", QueryPolicy.openFilterValues(limits));
        row(rows, "index entries a request looks at", limits.scanEntries());
        row(rows, "bytes waiting to be read", limits.outboxBytes());
        row(rows, "connections from one address", limits.connectionsPerAddress());
        row(rows, "events per filter", limits.maxLimit() + ", " + limits.defaultLimit() + " unless asked");
        if (limits.futureSeconds() > 0) {
            row(rows, "created_at ahead", limits.futureSeconds() + " s");
        }
        if (limits.pastSeconds() > 0) {
            row(rows, "created_at back", limits.pastSeconds() + " s");
        }
        row(
                rows,
                "AUTH",
                switch (config.auth()) {
                    case OFF -> "not used";
                    case OPTIONAL -> "for private and protected events";
                    case REQUIRED -> "required";
                });
        info.contact().ifPresent(contact -> row(rows, "contact", contact));
        info.pubkey().ifPresent(key -> row(rows, "operator's key", key));
        info.termsOfService().ifPresent(text -> row(rows, "terms of service", text));
        info.privacyPolicy().ifPresent(text -> row(rows, "privacy policy", text));
        info.postingPolicy().ifPresent(text -> row(rows, "posting policy", text));
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%1$s</title>
                <style>
                body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
                code { font-size: 1.1em; } td { padding: .1rem 1rem .1rem 0; vertical-align: top; }
                @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
                </style></head><body>
                <h1>%1$s</h1>
                <p>%2$s</p>
                <p>This is a Nostr relay. Add this address to your Nostr client:</p>
                <p><code>%3$s</code></p>
                <p>NIPs: %4$s</p>
                <table>
                %5$s</table>
                <p>Postroad %6$s</p>
                </body></html>
                """.formatted(
                escape(info.name()),
                escape(info.description()),
                escape(url),
                String.join(
                        ", ", nips(config.auth()).stream().map(String::valueOf).toList()),
                rows,
                escape(info.version()));
    }

    private static void row(StringBuilder rows, String name, Object value) {
        rows.append("<tr><td>")
                .append(escape(name))
                .append("</td><td>")
                .append(escape(String.valueOf(value)))
                .append("</td></tr>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
