package postroad.app.config;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.relay.Limits;
import postroad.nostr.relay.RelayConfig;
import postroad.nostr.relay.RelayInfo;
import postroad.nostr.relay.Timeouts;
import postroad.nostr.store.StoreOptions;

/// The table of all settings. What is not in it is an error wherever it is given.
final class Settings {
    /// Where the relay listens by default: this machine only.
    static final String DEFAULT_LISTEN = "127.0.0.1:7447";

    private static final long GIB = 1L << 30;
    private static final String TIME = " of seconds";

    /// All of them, in the order of the printed file; tables together.
    static final List<Setting> ALL = all();

    private Settings() {}

    static Optional<Setting> find(String key) {
        return ALL.stream().filter(setting -> setting.key().equals(key)).findFirst();
    }

    private static List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        all.addAll(top());
        all.addAll(info());
        all.addAll(limits(Limits.DEFAULT));
        all.addAll(timeouts(Timeouts.DEFAULT));
        all.addAll(store());
        return List.copyOf(all);
    }

    private static List<Setting> top() {
        return List.of(
                new Setting(
                        "listen",
                        new Kind.Checked(
                                "ADDR:PORT, such as 127.0.0.1:7447, [::1]:7447 or 0.0.0.0:7447", Listen::isGood),
                        DEFAULT_LISTEN,
                        "Address and port to listen on. Port 0 takes a free one; 0.0.0.0 and [::] are all addresses."),
                new Setting(
                        "urls",
                        new Kind.Several(new Kind.Checked(
                                "a ws:// or wss:// URL",
                                url -> RelayUrl.parse(url).isPresent())),
                        List.of(),
                        "The URLs by which clients know this relay, for AUTH and for requests to vanish. Empty: for AUTH"
                                + " whatever host a client names; requests to vanish must say ALL_RELAYS."),
                new Setting(
                        "auth",
                        new Kind.Choice(List.of("off", "optional", "required")),
                        "optional",
                        "Whether clients prove their keys (NIP-42): off, optional, or required before anything else."),
                new Setting(
                        "private_kinds",
                        new Kind.Several(new Kind.Whole(0, 65_535, "")),
                        kinds(RelayConfig.DEFAULT_PRIVATE_KINDS),
                        "Kinds shown only to their author and the keys they are addressed to: direct messages and wraps."),
                new Setting(
                        "trusted_proxies",
                        new Kind.Several(
                                new Kind.Checked("an address or a block such as 10.0.0.0/8", Settings::isBlock)),
                        List.of(),
                        "Reverse proxies whose X-Forwarded-For is believed: addresses or blocks."),
                new Setting("deflate", new Kind.Flag(), true, "Whether clients may compress (permessage-deflate)."));
    }

    private static List<Setting> info() {
        RelayInfo info = RelayInfo.DEFAULT;
        Kind text = new Kind.Text();
        return List.of(
                new Setting("info.name", text, info.name(), "The relay's name, as clients show it (NIP-11)."),
                new Setting("info.description", text, info.description(), "What it is for."),
                new Setting(
                        "info.pubkey",
                        new Kind.Checked("64 hex digits", key -> key.matches("([0-9a-f]{64})?")),
                        "",
                        "The operator's public key, 64 lower-case hex digits."),
                new Setting("info.contact", text, "", "How else to reach the operator, as a URL."),
                new Setting("info.icon", text, "", "URL of a square picture."),
                new Setting("info.privacy_policy", text, "", "URL of the privacy policy."),
                new Setting("info.terms_of_service", text, "", "URL of the terms of service."),
                new Setting("info.posting_policy", text, "", "URL of the posting policy."));
    }

    private static List<Setting> limits(Limits limits) {
        return List.of(
                size(
                        "message_bytes",
                        1024,
                        64 << 20,
                        limits.messageBytes(),
                        "Longest message of a client; has to hold the largest event."),
                size(
                        "event_bytes",
                        512,
                        16 << 20,
                        limits.event().maxBytes(),
                        "Largest event, as JSON; less where message_bytes is set lower."),
                whole("event_tags", 1, 200_000, limits.event().maxTags(), "Most tags of an event."),
                size("tag_value_bytes", 64, 8 << 20, limits.event().maxTagValueBytes(), "Longest value of a tag."),
                size(
                        "content_bytes",
                        1,
                        16 << 20,
                        limits.event().maxContentBytes(),
                        "Longest content of an event; less where event_bytes is."),
                whole("filters", 1, 1000, limits.filters(), "Most filters of a REQ or COUNT."),
                whole("filter_values", 1, 1_000_000, limits.filterValues(), "Most values over all lists of a filter."),
                whole("subscriptions", 1, 100_000, limits.subscriptions(), "Most open subscriptions of a connection."),
                whole(
                        "subscription_id_length",
                        1,
                        256,
                        limits.subscriptionIdLength(),
                        "Longest subscription id, in characters."),
                whole(
                        "default_limit",
                        1,
                        1_000_000,
                        limits.defaultLimit(),
                        "Rows for a filter without a limit; max_limit where that is lower."),
                whole("max_limit", 1, 1_000_000, limits.maxLimit(), "Most rows for a filter."),
                whole(
                        "scan_entries",
                        1000,
                        1_000_000_000,
                        limits.scanEntries(),
                        "Most index entries that one REQ or COUNT may look at."),
                size(
                        "outbox_bytes",
                        64 << 10,
                        GIB,
                        limits.outboxBytes(),
                        "What may wait for a slow reader before it is cut off."),
                size(
                        "outbox_pause_bytes",
                        16 << 10,
                        GIB,
                        limits.outboxPauseBytes(),
                        "What may wait for a reader before its scans pause."),
                size(
                        "ingest_bytes",
                        64 << 10,
                        GIB,
                        limits.ingestBytes(),
                        "Events in flight of one connection before it is read no further."),
                whole("connections", 1, 1_000_000, limits.connections(), "Most open connections."),
                whole(
                        "connections_per_address",
                        1,
                        1_000_000,
                        limits.connectionsPerAddress(),
                        "Most open connections of one address (IPv6: of one /64)."),
                time("future_seconds", limits.futureSeconds(), "How far created_at may lie ahead; 0 for no bound."),
                time("past_seconds", limits.pastSeconds(), "How far created_at may lie back; 0 for no bound."),
                whole(
                        "events_per_second",
                        0,
                        1_000_000,
                        limits.eventsPerSecond(),
                        "Most events a second of one address, averaged; 0 for no bound."),
                whole(
                        "requests_per_second",
                        0,
                        1_000_000,
                        limits.requestsPerSecond(),
                        "Most REQs and COUNTs a second of one connection, averaged; 0 for no bound."));
    }

    private static List<Setting> timeouts(Timeouts timeouts) {
        return List.of(
                wait("handshake", timeouts.handshake(), "From accept to the end of the HTTP request."),
                wait("ping", timeouts.ping(), "How long a connection may be silent before it is pinged."),
                wait("idle", timeouts.idle(), "How long it may be silent in all, before it is closed."),
                wait("message", timeouts.message(), "From the first byte of a message to its last."),
                wait("stall", timeouts.stall(), "How long a slow reader may read nothing at all."),
                wait("stop", timeouts.stop(), "How long work in flight may take when the relay stops."));
    }

    private static List<Setting> store() {
        return List.of(
                new Setting(
                        "store.map_bytes",
                        new Kind.Size(16 << 20, 16L << 40),
                        StoreOptions.DEFAULT_MAP_BYTES,
                        "Address space for the store, which bounds its size. The file grows only as events come."),
                new Setting(
                        "store.reserve_bytes",
                        new Kind.Size(0, 1L << 40),
                        StoreOptions.DEFAULT_RESERVE_BYTES,
                        "Free space on the disk below which new events are refused."));
    }

    private static Setting whole(String name, long min, long max, long fallback, String comment) {
        return new Setting("limits." + name, new Kind.Whole(min, max, ""), fallback, comment);
    }

    private static Setting size(String name, long min, long max, long fallback, String comment) {
        return new Setting("limits." + name, new Kind.Size(min, max), fallback, comment);
    }

    private static Setting time(String name, long fallback, String comment) {
        return new Setting("limits." + name, new Kind.Whole(0, 1L << 40, TIME), fallback, comment);
    }

    private static Setting wait(String name, Duration fallback, String comment) {
        return new Setting("timeouts." + name, new Kind.Whole(1, 86_400, TIME), fallback.toSeconds(), comment);
    }

    private static List<Long> kinds(Filter.Kinds kinds) {
        return IntStream.range(0, kinds.size())
                .mapToObj(i -> (long) kinds.get(i))
                .toList();
    }

    /// What the tables are for, as the printed file says it.
    static final Map<String, String> TABLES = Map.of(
            "info", "What the relay says of itself (NIP-11).",
            "limits", "Bounds, stated in the NIP-11 document; each refusal names its own.",
            "timeouts", "Times in seconds.",
            "store", "The event store.");

    private static boolean isBlock(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        try {
            int bits = 8 * InetAddress.ofLiteral(address).getAddress().length;
            return slash < 0
                    || Integer.parseInt(text.substring(slash + 1)) >= 0
                            && Integer.parseInt(text.substring(slash + 1)) <= bits;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
