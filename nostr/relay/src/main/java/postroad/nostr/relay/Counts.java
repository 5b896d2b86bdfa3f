package postroad.nostr.relay;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreReader;

/// One connection's COUNTs (NIP-45): each is counted exactly, by a worker, or refused. Owned by the
/// connection's loop.
final class Counts {
    private static final int MOST = 8;

    private final Relay relay;
    private final Loop loop;
    private final Connection connection;
    private final Outbox outbox;
    private int running;
    private volatile boolean ended;

    Counts(Relay relay, Loop loop, Connection connection, Outbox outbox) {
        this.relay = relay;
        this.loop = loop;
        this.connection = connection;
        this.outbox = outbox;
    }

    /// Counts what `filters` match, limits apart.
    void count(String id, List<Filter> filters, Viewer viewer) {
        if (running >= MOST) {
            outbox.text(RelayMessages.closed(id, Prefix.RATE_LIMITED.with("at most " + MOST + " counts at once")));
            return;
        }
        running++;
        Query query = new Query(QueryPolicy.unlimited(filters), viewer);
        relay.counts().submit((reader, deflating) -> {
            Optional<OptionalLong> result = ended ? Optional.empty() : tryCount(reader, query);
            loop.execute(() -> counted(id, result));
        });
    }

    /// Nobody waits any more.
    void end() {
        ended = true;
    }

    /// On the worker; empty when the store failed.
    private Optional<OptionalLong> tryCount(StoreReader reader, Query query) {
        try (Snapshot snapshot = reader.open()) {
            return Optional.of(snapshot.count(query, relay.now(), relay.limits().scanEntries()));
        } catch (RuntimeException e) {
            StoredPart.note(e);
            return Optional.empty();
        }
    }

    private void counted(String id, Optional<OptionalLong> result) {
        running--;
        if (result.isEmpty()) {
            outbox.text(RelayMessages.closed(id, StoredPart.UNREADABLE));
        } else if (result.get().isEmpty()) {
            outbox.text(RelayMessages.closed(
                    id,
                    Prefix.BLOCKED.with("the count looks at more than "
                            + relay.limits().scanEntries() + " index entries; narrow its filters")));
        } else {
            outbox.text(RelayMessages.count(id, result.get().getAsLong()));
        }
        connection.afterWriting();
    }
}
