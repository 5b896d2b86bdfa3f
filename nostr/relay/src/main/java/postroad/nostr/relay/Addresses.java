package postroad.nostr.relay;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import postroad.common.Hex;

/// Who is connected from where: bounds on connections, in all and per address, and on the rate of events
/// per address.
///
/// Addresses are kept while somebody is connected from them, or owes tokens, and are never stored. Any
/// thread may call.
final class Addresses {
    private final List<AddressBlock> trusted;
    private final int most;
    private final int mostPerAddress;
    private final int eventsPerSecond;
    private final AtomicInteger connections = new AtomicInteger();
    private final ConcurrentHashMap<String, Place> places = new ConcurrentHashMap<>();

    /// One address, or one /64 of IPv6.
    private static final class Place {
        private final Optional<TokenBucket> events;
        private int connections;

        Place(Optional<TokenBucket> events) {
            this.events = events;
        }
    }

    Addresses(RelayConfig config) {
        this.trusted = config.trustedProxies().stream().map(AddressBlock::parse).toList();
        this.most = config.limits().connections();
        this.mostPerAddress = config.limits().connectionsPerAddress();
        this.eventsPerSecond = config.limits().eventsPerSecond();
    }

    /// Counts a connection in; false when there are too many.
    boolean tryOpen() {
        if (connections.incrementAndGet() <= most) {
            return true;
        }
        connections.decrementAndGet();
        return false;
    }

    /// Counts a connection out.
    void close() {
        connections.decrementAndGet();
    }

    /// Connections open now.
    int open() {
        return connections.get();
    }

    /// Counts a connection of `client` in; false when there are too many.
    boolean tryEnter(String client) {
        boolean[] entered = new boolean[1];
        places.compute(client, (key, old) -> {
            Place place = old == null ? new Place(bucket()) : old;
            if (place.connections < mostPerAddress) {
                place.connections++;
                entered[0] = true;
            }
            return place;
        });
        return entered[0];
    }

    /// Counts a connection of `client` out.
    void leave(String client) {
        places.computeIfPresent(client, (key, place) -> {
            place.connections--;
            return isIdle(place) ? null : place;
        });
    }

    /// Whether `client` may send one more event now.
    boolean tryEvent(String client) {
        if (eventsPerSecond == 0) {
            return true;
        }
        Place place = places.get(client);
        return place == null || place.events.orElseThrow().tryTake(System.nanoTime());
    }

    /// Forgets addresses that nobody is connected from and that owe nothing.
    void forgetIdle() {
        places.values().removeIf(Addresses::isIdle);
    }

    /// How many addresses are kept.
    int known() {
        return places.size();
    }

    /// Whether connections from `peer` speak for others.
    boolean isTrusted(InetAddress peer) {
        return isTrusted(peer.getAddress());
    }

    /// Who stands behind a connection: the peer, or, when that is a trusted proxy, the last address in
    /// `X-Forwarded-For` that is none.
    String client(InetAddress peer, List<String> forwardedFor) {
        byte[] address = peer.getAddress();
        List<String> hops = forwardedFor.stream()
                .flatMap(header -> List.of(header.split(",", -1)).stream())
                .map(String::strip)
                .toList();
        for (int i = hops.size() - 1; i >= 0 && isTrusted(address); i--) {
            Optional<byte[]> hop = address(hops.get(i));
            if (hop.isEmpty()) {
                break;
            }
            address = hop.get();
        }
        return key(address);
    }

    /// The key an address is counted under: itself, or its /64 for IPv6.
    static String key(byte[] address) {
        return address.length == 4 ? Hex.encode(address) : Hex.encode(address).substring(0, 16);
    }

    private Optional<TokenBucket> bucket() {
        return eventsPerSecond == 0
                ? Optional.empty()
                : Optional.of(new TokenBucket(eventsPerSecond, System.nanoTime()));
    }

    private boolean isTrusted(byte[] address) {
        return trusted.stream().anyMatch(block -> block.contains(address));
    }

    private static boolean isIdle(Place place) {
        return place.connections == 0
                && place.events.map(bucket -> bucket.isFull(System.nanoTime())).orElse(true);
    }

    /// A hop's address; proxies write `address`, `address:port`, `[address]` or `[address]:port`.
    private static Optional<byte[]> address(String hop) {
        String bare = hop;
        if (hop.startsWith("[") && hop.indexOf(']') > 0) {
            bare = hop.substring(1, hop.indexOf(']'));
        } else if (hop.indexOf(':') > 0 && hop.indexOf(':') == hop.lastIndexOf(':')) {
            bare = hop.substring(0, hop.indexOf(':'));
        }
        try {
            return Optional.of(AddressBlock.literal(bare));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
