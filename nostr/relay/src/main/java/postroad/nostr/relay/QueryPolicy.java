package postroad.nostr.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.TagCondition;

/// Decides whether a REQ or COUNT is answered, and brings its filters into the form in which they are
/// answered.
final class QueryPolicy {
    /// Values over all open subscriptions, in multiples of what one filter may have.
    private static final int FILTERS_WORTH = 4;

    private final AuthMode auth;
    private final Limits limits;
    private final Filter.Kinds privateKinds;

    QueryPolicy(RelayConfig config) {
        this.auth = config.auth();
        this.limits = config.limits();
        this.privateKinds = config.privateKinds();
    }

    /// Why these filters are not answered for a connection that has proven a key, or none.
    Optional<String> refusal(List<Filter> filters, boolean hasProvenKey) {
        if (hasProvenKey) {
            return Optional.empty();
        }
        if (auth == AuthMode.REQUIRED) {
            return Optional.of(Prefix.AUTH_REQUIRED.with("this relay answers after authentication only"));
        }
        if (arePrivateOnly(filters)) {
            return Optional.of(
                    auth == AuthMode.OFF
                            ? Prefix.RESTRICTED.with("private kinds are shown to nobody here: AUTH is off")
                            : Prefix.AUTH_REQUIRED.with("private kinds are shown to their author and addressees"));
        }
        return Optional.empty();
    }

    /// Why one more subscription is refused to a connection with `open` ones that have `values` values.
    Optional<String> refusalOfMore(List<Filter> filters, int open, int values) {
        if (open >= limits.subscriptions()) {
            return Optional.of(
                    Prefix.BLOCKED.with("at most " + limits.subscriptions() + " subscriptions on one connection"));
        }
        long mostValues = openFilterValues(limits);
        if (values + values(filters) > mostValues) {
            return Optional.of(Prefix.BLOCKED.with(
                    "at most " + mostValues + " filter values over all subscriptions of one connection"));
        }
        return Optional.empty();
    }

    /// Most values over the filters of all open subscriptions of a connection.
    static long openFilterValues(Limits limits) {
        return (long) FILTERS_WORTH * limits.filterValues();
    }

    /// Each filter with a limit: its own up to the most, or the default.
    List<Filter> clamped(List<Filter> asked) {
        List<Filter> filters = new ArrayList<>(asked.size());
        for (Filter filter : asked) {
            int limit = filter.limit().orElse(limits.defaultLimit());
            filters.add(filter.withLimit(Math.min(limit, limits.maxLimit())));
        }
        return filters;
    }

    /// How many values the lists of these filters have.
    static int values(List<Filter> filters) {
        int values = 0;
        for (Filter filter : filters) {
            values += filter.ids().map(Filter.Set32::size).orElse(0)
                    + filter.authors().map(Filter.Set32::size).orElse(0)
                    + filter.kinds().map(Filter.Kinds::size).orElse(0);
            for (TagCondition tag : filter.tags()) {
                values += tag.values().size();
            }
        }
        return values;
    }

    private boolean arePrivateOnly(List<Filter> filters) {
        for (Filter filter : filters) {
            if (!isPrivateOnly(filter)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPrivateOnly(Filter filter) {
        if (filter.kinds().isEmpty() || filter.kinds().get().isEmpty()) {
            return false;
        }
        Filter.Kinds kinds = filter.kinds().get();
        for (int i = 0; i < kinds.size(); i++) {
            if (!privateKinds.contains(kinds.get(i))) {
                return false;
            }
        }
        return true;
    }
}
