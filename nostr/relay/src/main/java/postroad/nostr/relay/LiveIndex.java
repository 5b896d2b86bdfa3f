package postroad.nostr.relay;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.common.Bytes32;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.TagCondition;
import postroad.nostr.core.TagValue;

/// One loop's open subscriptions, found by what an event has: each filter is registered under the values of
/// its most selective attribute, and an event looks up its own id, author, tags and kind.
///
/// What is found is a candidate; the subscription's whole query decides. Owned by the loop.
/// @param <S> what a subscription is
final class LiveIndex<S> {
    /// A filter that would have to be registered under more values than this takes a broader attribute
    /// instead.
    static final int MOST_KEYS = 2_000;

    private final Map<Bytes32, Bucket<S>> ids = new HashMap<>();
    private final Map<Bytes32, Bucket<S>> authors = new HashMap<>();
    private final Map<TagKey, Bucket<S>> tags = new HashMap<>();
    private final Map<Integer, Bucket<S>> kinds = new HashMap<>();
    private final Bucket<S> all = new Bucket<>(() -> {});
    private final int[] tagKeysOfLetter = new int[128];

    private record TagKey(char letter, TagValue value) {}

    /// One place of one subscription in one bucket.
    static final class Registration<S> {
        private final S owner;
        private final Bucket<S> bucket;
        private int index;

        Registration(S owner, Bucket<S> bucket) {
            this.owner = owner;
            this.bucket = bucket;
        }
    }

    /// The subscriptions registered under one value; a removal costs the same however many there are.
    static final class Bucket<S> {
        private final Runnable whenEmpty;
        private final List<Registration<S>> items = new ArrayList<>(1);

        Bucket(Runnable whenEmpty) {
            this.whenEmpty = whenEmpty;
        }

        Registration<S> add(S owner) {
            Registration<S> registration = new Registration<>(owner, this);
            registration.index = items.size();
            items.add(registration);
            return registration;
        }

        void remove(Registration<S> registration) {
            Registration<S> last = items.removeLast();
            if (last != registration) {
                items.set(registration.index, last);
                last.index = registration.index;
            }
            if (items.isEmpty()) {
                whenEmpty.run();
            }
        }

        void forEach(Consumer<S> action) {
            for (int i = items.size() - 1; i >= 0; i--) {
                action.accept(items.get(i).owner);
            }
        }
    }

    /// What [#add] gave, to be handed to [#remove].
    static final class Places<S> {
        private final List<Registration<S>> registrations;

        Places(List<Registration<S>> registrations) {
            this.registrations = registrations;
        }
    }

    /// Registers a subscription.
    Places<S> add(S owner, List<Filter> filters) {
        List<Registration<S>> places = new ArrayList<>();
        for (Filter filter : filters) {
            if (!filter.matchesNothing()) {
                register(filter, owner, places);
            }
        }
        return new Places<>(places);
    }

    /// Whether nothing is registered, and no room is kept for what was.
    boolean isEmpty() {
        return ids.isEmpty() && authors.isEmpty() && tags.isEmpty() && kinds.isEmpty() && all.items.isEmpty();
    }

    /// Takes a subscription out.
    void remove(Places<S> places) {
        places.registrations.forEach(registration -> registration.bucket.remove(registration));
    }

    /// Calls `action` with each subscription that may want the packed event at `at`, some more than once.
    /// The action must not add or remove any.
    void forCandidates(MemorySegment base, long at, Consumer<S> action) {
        visit(ids, PackedEvent.id(base, at), action);
        visit(authors, PackedEvent.author(base, at), action);
        visit(kinds, PackedEvent.kind(base, at), action);
        if (!tags.isEmpty()) {
            visitTags(base, at, action);
        }
        all.forEach(action);
    }

    private void visitTags(MemorySegment base, long at, Consumer<S> action) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            char letter = PackedEvent.tagLetter(base, tag);
            if (tagKeysOfLetter[letter] > 0) {
                visit(tags, new TagKey(letter, TagValue.at(base, tag)), action);
            }
        }
    }

    private static <K, S> void visit(Map<K, Bucket<S>> buckets, K key, Consumer<S> action) {
        Bucket<S> bucket = buckets.get(key);
        if (bucket != null) {
            bucket.forEach(action);
        }
    }

    private void register(Filter filter, S owner, List<Registration<S>> places) {
        int byAuthor = filter.authors().map(Filter.Set32::size).orElse(Integer.MAX_VALUE);
        Optional<TagCondition> tag = fewestKeys(filter.tags());
        int byTag = tag.map(condition -> keys(condition)).orElse(Integer.MAX_VALUE);
        if (filter.ids().isPresent() && filter.ids().get().size() <= MOST_KEYS) {
            addAll(ids, filter.ids().get(), owner, places);
        } else if (byAuthor <= MOST_KEYS && byAuthor <= byTag) {
            addAll(authors, filter.authors().orElseThrow(), owner, places);
        } else if (byTag <= MOST_KEYS) {
            addTags(tag.orElseThrow(), owner, places);
        } else if (filter.kinds().isPresent()) {
            addKinds(filter.kinds().get(), owner, places);
        } else {
            places.add(all.add(owner));
        }
    }

    private static Optional<TagCondition> fewestKeys(List<TagCondition> conditions) {
        return conditions.stream().min((a, b) -> Integer.compare(keys(a), keys(b)));
    }

    /// Whoever demands all values is found under any one of them.
    private static int keys(TagCondition condition) {
        return condition.all() ? 1 : condition.values().size();
    }

    private void addTags(TagCondition condition, S owner, List<Registration<S>> places) {
        for (int i = 0; i < keys(condition); i++) {
            TagKey key = new TagKey(condition.letter(), condition.values().get(i));
            Bucket<S> bucket = tags.get(key);
            if (bucket == null) {
                tagKeysOfLetter[key.letter]++;
                bucket = new Bucket<>(() -> {
                    tags.remove(key);
                    tagKeysOfLetter[key.letter]--;
                });
                tags.put(key, bucket);
            }
            places.add(bucket.add(owner));
        }
    }

    private void addKinds(Filter.Kinds values, S owner, List<Registration<S>> places) {
        for (int i = 0; i < values.size(); i++) {
            places.add(bucket(kinds, values.get(i)).add(owner));
        }
    }

    private static <S> void addAll(
            Map<Bytes32, Bucket<S>> buckets, Filter.Set32 values, S owner, List<Registration<S>> places) {
        for (int i = 0; i < values.size(); i++) {
            places.add(bucket(buckets, values.get(i)).add(owner));
        }
    }

    private static <K, S> Bucket<S> bucket(Map<K, Bucket<S>> buckets, K key) {
        return buckets.computeIfAbsent(key, absent -> new Bucket<>(() -> buckets.remove(absent)));
    }
}
