package postroad.app.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.relay.AuthMode;
import postroad.nostr.relay.Limits;
import postroad.nostr.relay.RelayConfig;
import postroad.nostr.relay.RelayInfo;
import postroad.nostr.relay.Timeouts;

/// Checked values by key, and the records made of them.
record Values(Map<String, Object> values) {
    RelayConfig relay() {
        RelayConfig defaults = RelayConfig.at(Listen.address(text("listen")));
        return new RelayConfig(
                defaults.listen(),
                list("urls").stream()
                        .map(url -> RelayUrl.parse((String) url).orElseThrow())
                        .collect(Collectors.toSet()),
                AuthMode.valueOf(text("auth").toUpperCase(Locale.ROOT)),
                Filter.Kinds.of(list("private_kinds").stream()
                        .mapToInt(kind -> ((Long) kind).intValue())
                        .toArray()),
                list("trusted_proxies").stream().map(String.class::cast).toList(),
                (Boolean) values.get("deflate"),
                limits(),
                timeouts(),
                info(),
                defaults.loops(),
                defaults.verifiers(),
                defaults.warmUp());
    }

    private Limits limits() {
        return new Limits(
                limit("message_bytes"),
                new EventLimits(
                        limit("event_bytes"), limit("event_tags"), limit("tag_value_bytes"), limit("content_bytes")),
                limit("filters"),
                limit("filter_values"),
                limit("subscriptions"),
                limit("subscription_id_length"),
                limit("default_limit"),
                limit("max_limit"),
                number("limits.scan_entries"),
                limit("outbox_bytes"),
                limit("outbox_pause_bytes"),
                limit("ingest_bytes"),
                limit("connections"),
                limit("connections_per_address"),
                number("limits.future_seconds"),
                number("limits.past_seconds"),
                limit("events_per_second"),
                limit("requests_per_second"));
    }

    private Timeouts timeouts() {
        return new Timeouts(
                time("handshake"), time("ping"), time("idle"), time("message"), time("stall"), time("stop"));
    }

    private RelayInfo info() {
        return new RelayInfo(
                text("info.name"),
                text("info.description"),
                optional("info.pubkey"),
                optional("info.contact"),
                optional("info.icon"),
                optional("info.privacy_policy"),
                optional("info.terms_of_service"),
                optional("info.posting_policy"),
                Version.text());
    }

    long number(String key) {
        return (Long) values.get(key);
    }

    private int limit(String name) {
        return Math.toIntExact(number("limits." + name));
    }

    private Duration time(String name) {
        return Duration.ofSeconds(number("timeouts." + name));
    }

    private String text(String key) {
        return (String) values.get(key);
    }

    private Optional<String> optional(String key) {
        return text(key).isEmpty() ? Optional.empty() : Optional.of(text(key));
    }

    private List<?> list(String key) {
        return (List<?>) values.get(key);
    }
}
