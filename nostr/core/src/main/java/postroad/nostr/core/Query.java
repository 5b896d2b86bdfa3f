package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The filters of one REQ or COUNT together with who asks. Filters are alternatives (NIP-01).
public record Query(List<Filter> filters, Viewer viewer) {
    /// Copies the list.
    public Query {
        filters = List.copyOf(filters);
    }

    /// Whether the packed event matches some filter, may be seen, and has not expired at `now` (seconds).
    public boolean matches(MemorySegment base, long at, long now) {
        if (!isVisible(base, at, now)) {
            return false;
        }
        for (int i = 0; i < filters.size(); i++) {
            if (filters.get(i).matches(base, at)) {
                return true;
            }
        }
        return false;
    }

    /// Whether the packed event may be shown to the viewer at `now` (seconds), whatever the filters say.
    public boolean isVisible(MemorySegment base, long at, long now) {
        long expiration = PackedEvent.expiration(base, at);
        return (expiration == 0 || expiration > now) && viewer.maySee(base, at);
    }
}
