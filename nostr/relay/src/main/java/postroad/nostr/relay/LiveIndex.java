package postroad.nostr.relay;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
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
final class LiveIndex {
    /// A filter that would have to be registered under more values than this takes a broader attribute
    /// instead.
    static final int MOST_KEYS = 2_000;

    private final Map<Bytes32, Bucket> ids = new HashMap<>();
    private final Map<Bytes32, Bucket> authors = new HashMap<>();
    private final Map<TagKey, Bucket> tags = new HashMap<>();
    private final Map<Integer, Bucket> kinds = new HashMap<>();
    private final Bucket all = new Bucket(() -> {});
    private final int[] tagKeysOfLetter = new int[128];

    private record TagKey(char letter, TagValue value) {}

    /// One place of one subscription in one bucket.
    private static final class Registration {
        private final Subscription subscription;
        private final Bucket bucket;
        private int index;

        Registration(Subscription subscription, Bucket bucket) {
            this.subscription = subscription;
            this.bucket = bucket;
        }
    }

    /// The subscriptions registered under one value; a removal costs the same however many there are.
    private static final class Bucket {
        private final Runnable whenEmpty;
        private Registration[] items = new Registration[1];
        private int size;

        Bucket(Runnable whenEmpty) {
            this.whenEmpty = whenEmpty;
        }

        Registration add(Subscription subscription) {
            Registration registration = new Registration(subscription, this);
            if (size == items.length) {
                items = Arrays.copyOf(items, 2 * size);
            }
            registration.index = size;
            items[size++] = registration;
            return registration;
        }

        void remove(Registration registration) {
            Registration last = items[--size];
            items[size] = null;
            if (last != registration) {
                items[registration.index] = last;
                last.index = registration.index;
            }
            if (size == 0) {
                whenEmpty.run();
            }
        }

        void forEach(Consumer<Subscription> action) {
            for (int i = size - 1; i >= 0; i--) {
                action.accept(items[i].subscription);
            }
        }
    }

    /// What [#add] gave, to be handed to [#remove].
    static final class Places {
        private final List<Registration> registrations;

        private Places(List<Registration> registrations) {
            this.registrations = registrations;
        }
    }

    /// Registers a subscription.
    Places add(Subscription subscription) {
        List<Registration> places = new ArrayList<>();
        for (Filter filter : subscription.filters()) {
            if (!filter.matchesNothing()) {
                register(filter, subscription, places);
            }
        }
        return new Places(places);
    }

    /// Takes a subscription out.
    void remove(Places places) {
        places.registrations.forEach(registration -> registration.bucket.remove(registration));
    }

    /// Calls `action` with each subscription that may want the packed event at `at`, some more than once.
    /// The action must not add or remove any.
    void forCandidates(MemorySegment base, long at, Consumer<Subscription> action) {
        visit(ids, PackedEvent.id(base, at), action);
        visit(authors, PackedEvent.author(base, at), action);
        visit(kinds, PackedEvent.kind(base, at), action);
        if (!tags.isEmpty()) {
            visitTags(base, at, action);
        }
        all.forEach(action);
    }

    private void visitTags(MemorySegment base, long at, Consumer<Subscription> action) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            char letter = PackedEvent.tagLetter(base, tag);
            if (tagKeysOfLetter[letter] > 0) {
                visit(tags, new TagKey(letter, TagValue.at(base, tag)), action);
            }
        }
    }

    private static <K> void visit(Map<K, Bucket> buckets, K key, Consumer<Subscription> action) {
        Bucket bucket = buckets.get(key);
        if (bucket != null) {
            bucket.forEach(action);
        }
    }

    private void register(Filter filter, Subscription subscription, List<Registration> places) {
        int byAuthor = filter.authors().map(Filter.Set32::size).orElse(Integer.MAX_VALUE);
        Optional<TagCondition> tag = fewestKeys(filter.tags());
        int byTag = tag.map(LiveIndex::keys).orElse(Integer.MAX_VALUE);
        if (filter.ids().isPresent() && filter.ids().get().size() <= MOST_KEYS) {
            addAll(ids, filter.ids().get(), subscription, places);
        } else if (byAuthor <= MOST_KEYS && byAuthor <= byTag) {
            addAll(authors, filter.authors().orElseThrow(), subscription, places);
        } else if (byTag <= MOST_KEYS) {
            addTags(tag.orElseThrow(), subscription, places);
        } else if (filter.kinds().isPresent()) {
            addKinds(filter.kinds().get(), subscription, places);
        } else {
            places.add(all.add(subscription));
        }
    }

    private static Optional<TagCondition> fewestKeys(List<TagCondition> conditions) {
        return conditions.stream().min((a, b) -> Integer.compare(keys(a), keys(b)));
    }

    /// Whoever demands all values is found under any one of them.
    private static int keys(TagCondition condition) {
        return condition.all() ? 1 : condition.values().size();
    }

    private void addTags(TagCondition condition, Subscription subscription, List<Registration> places) {
        for (int i = 0; i < keys(condition); i++) {
            TagKey key = new TagKey(condition.letter(), condition.values().get(i));
            Bucket bucket = tags.get(key);
            if (bucket == null) {
                tagKeysOfLetter[key.letter]++;
                bucket = new Bucket(() -> {
                    tags.remove(key);
                    tagKeysOfLetter[key.letter]--;
                });
                tags.put(key, bucket);
            }
            places.add(bucket.add(subscription));
        }
    }

    private void addKinds(Filter.Kinds values, Subscription subscription, List<Registration> places) {
        for (int i = 0; i < values.size(); i++) {
            places.add(bucket(kinds, values.get(i)).add(subscription));
        }
    }

    private static void addAll(
            Map<Bytes32, Bucket> buckets, Filter.Set32 values, Subscription subscription, List<Registration> places) {
        for (int i = 0; i < values.size(); i++) {
            places.add(bucket(buckets, values.get(i)).add(subscription));
        }
    }

    private static <K> Bucket bucket(Map<K, Bucket> buckets, K key) {
        return buckets.computeIfAbsent(key, absent -> new Bucket(() -> buckets.remove(absent)));
    }
}
