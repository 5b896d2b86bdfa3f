package postroad.nostr.kit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import postroad.nostr.core.Event;
import postroad.nostr.core.RelayUrl;

/// The rules of an event store on plain lists: the judge of every real one. Owned by one thread.
///
/// The rules, which make the stored events the same for any order of arrival (at one time `now`):
///
/// 1. What is stored already is a duplicate. What has expired is refused. What is ephemeral is passed on and has no
///    effect. Marks are never taken back.
/// 2. A request to vanish (kind 62, `relay` tag `ALL_RELAYS` or one of our URLs) of time T removes and bars what its
///    author wrote up to T, and gift wraps (1059) up to T with the author in a `p` tag. Kind 62 is exempt.
/// 3. A deletion (kind 5) removes and bars, whatever the order: by `e` its author's event of that id, or a gift wrap of
///    that id that has the author in a `p` tag; by `a` with the author's own key all versions up to the deletion's
///    time. Kinds 5 and 62 are exempt. A deletion that comes too late because of rule 2 is not stored, but has its
///    effect.
/// 4. Of a replaceable or addressable event the newest version is kept, ties by lowest id. When the version deleted by
///    `e` comes or came by, older versions stay barred: deletion of the newest does not bring back the one before.
public final class ModelStore {
    private static final int DELETION = 5;
    private static final int VANISH = 62;
    private static final int GIFT_WRAP = 1059;

    private final Set<String> ownUrls = new HashSet<>();
    private final List<Row> rows = new ArrayList<>();
    private final Set<String> deletedIds = new HashSet<>();
    private final Map<String, Long> deletedAddresses = new HashMap<>();
    private final Map<String, SlowEvent> deletedVersions = new HashMap<>();
    private final Map<String, Long> vanished = new HashMap<>();
    private long sequence;

    /// A store of a relay with these addresses.
    public ModelStore(Set<RelayUrl> ownUrls) {
        ownUrls.forEach(url -> this.ownUrls.add(url.text()));
    }

    /// What became of an event.
    public enum Outcome {
        STORED,
        EPHEMERAL,
        DUPLICATE,
        SUPERSEDED,
        DELETED,
        VANISHED,
        EXPIRED
    }

    /// A stored event and its sequence number.
    public record Row(long sequence, SlowEvent event) {}

    /// Who asks: proven keys in hex, and the kinds shown to their parties only.
    public record Asker(Set<String> keys, Set<Integer> privateKinds) {
        /// Sees everything.
        public static final Asker OPERATOR = new Asker(Set.of(), Set.of());

        boolean maySee(SlowEvent event) {
            return !privateKinds.contains(event.kind())
                    || keys.contains(event.pubkey())
                    || event.values("p").stream().anyMatch(keys::contains);
        }
    }

    /// Takes an event at the time `now` (seconds).
    public Outcome write(Event event, long now) {
        return write(SlowEvent.of(event), now);
    }

    /// Takes an event at the time `now` (seconds).
    public Outcome write(SlowEvent event, long now) {
        if (rows.stream().anyMatch(row -> row.event().id().equals(event.id()))) {
            return Outcome.DUPLICATE;
        }
        if (event.goneFrom() <= now) {
            return Outcome.EXPIRED;
        }
        if (isVanished(event)) {
            applyDeletion(event);
            return Outcome.VANISHED;
        }
        if (event.isEphemeral()) {
            sequence++;
            return Outcome.EPHEMERAL;
        }
        if (isDeleted(event)) {
            barOlderVersions(event);
            return Outcome.DELETED;
        }
        if (event.isVersioned() && rows.stream().anyMatch(row -> isNewerVersion(row.event(), event))) {
            return Outcome.SUPERSEDED;
        }
        rows.removeIf(row -> isNewerVersion(event, row.event()));
        rows.add(new Row(++sequence, event));
        applyDeletion(event);
        applyVanish(event);
        return Outcome.STORED;
    }

    /// Removes what has expired at `now`; returns how many events that were.
    public int removeExpired(long now) {
        int before = rows.size();
        rows.removeIf(row -> row.event().goneFrom() <= now);
        return before - rows.size();
    }

    /// The stored events that match some filter, newest first, ties by lowest id, within each filter's own limit.
    public List<SlowEvent> query(List<String> filters, Asker asker, long now) {
        TreeSet<SlowEvent> found = new TreeSet<>(SlowEvent.ORDER);
        for (String filter : filters) {
            JsonNode tree = SlowMatcher.read(filter);
            visible(asker, now)
                    .filter(event -> SlowMatcher.matches(tree, event))
                    .sorted(SlowEvent.ORDER)
                    .limit(SlowMatcher.limit(filter))
                    .forEach(found::add);
        }
        return List.copyOf(found);
    }

    /// How many stored events match some filter; limits do not take part.
    public long count(List<String> filters, Asker asker, long now) {
        return matching(filters, asker, now).size();
    }

    /// Whether some event matches some filter that [#query] leaves out because of the limits.
    public boolean hasMore(List<String> filters, Asker asker, long now) {
        return count(filters, asker, now) > query(filters, asker, now).size();
    }

    /// All stored events with their sequence numbers, in the order of these.
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /// The last sequence number given.
    public long sequence() {
        return sequence;
    }

    private List<SlowEvent> matching(List<String> filters, Asker asker, long now) {
        List<JsonNode> trees = filters.stream().map(SlowMatcher::read).toList();
        return visible(asker, now)
                .filter(event -> trees.stream().anyMatch(tree -> SlowMatcher.matches(tree, event)))
                .toList();
    }

    private java.util.stream.Stream<SlowEvent> visible(Asker asker, long now) {
        return rows.stream().map(Row::event).filter(event -> event.goneFrom() > now && asker.maySee(event));
    }

    private boolean isVanished(SlowEvent event) {
        if (event.kind() == VANISH) {
            return false;
        }
        Predicate<String> covers = key -> vanished.getOrDefault(key, -1L) >= event.createdAt();
        return covers.test(event.pubkey())
                || event.kind() == GIFT_WRAP && event.values("p").stream().anyMatch(covers);
    }

    private boolean isDeleted(SlowEvent event) {
        if (event.kind() == DELETION || event.kind() == VANISH) {
            return false;
        }
        return isDeletedById(event)
                || event.isVersioned()
                        && (deletedAddresses.getOrDefault(event.address(), -1L) >= event.createdAt()
                                || deletedVersions.containsKey(event.address())
                                        && isNewerVersion(deletedVersions.get(event.address()), event));
    }

    private boolean isDeletedById(SlowEvent event) {
        return deletedIds.contains(event.id() + event.pubkey())
                || event.kind() == GIFT_WRAP
                        && event.values("p").stream().anyMatch(key -> deletedIds.contains(event.id() + key));
    }

    private void barOlderVersions(SlowEvent event) {
        if (event.isVersioned() && isDeletedById(event)) {
            deletedVersions.merge(event.address(), event, (one, two) -> isNewerVersion(one, two) ? one : two);
            removeBarred();
        }
    }

    private void applyDeletion(SlowEvent deletion) {
        if (deletion.kind() != DELETION) {
            return;
        }
        deletion.values("e").forEach(id -> deletedIds.add(id + deletion.pubkey()));
        for (String address : deletion.values("a")) {
            String[] parts = address.split(":", 3);
            if (parts.length == 3 && parts[1].equals(deletion.pubkey())) {
                deletedAddresses.merge(address, deletion.createdAt(), Math::max);
            }
        }
        rows.stream().map(Row::event).toList().forEach(this::barOlderVersions);
        removeBarred();
    }

    private void applyVanish(SlowEvent request) {
        boolean isMeant = request.kind() == VANISH
                && request.values("relay").stream().anyMatch(url -> url.equals("ALL_RELAYS") || isOwn(url));
        if (isMeant) {
            vanished.merge(request.pubkey(), request.createdAt(), Math::max);
            removeBarred();
        }
    }

    private boolean isOwn(String url) {
        return RelayUrl.parse(url).filter(own -> ownUrls.contains(own.text())).isPresent();
    }

    private void removeBarred() {
        rows.removeIf(row -> isVanished(row.event()) || isDeleted(row.event()));
    }

    private static boolean isNewerVersion(SlowEvent one, SlowEvent other) {
        return one.isVersioned() && one.address().equals(other.address()) && SlowEvent.ORDER.compare(one, other) < 0;
    }
}
