package postroad.nostr.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Tag;

/// A corpus whose events collide in every way a store has a rule for. Owned by one thread.
final class Tangle implements Corpus {
    private static final int AUTHORS = 5;
    private static final int SECONDS = 12;
    private static final int[] REGULAR = {1, 1, 1, 6, 7, 1984, 42_000};
    private static final int[] REPLACEABLE = {0, 3, 10_002, 19_999};
    private static final int[] ADDRESSABLE = {30_000, 30_023, 39_999};
    private static final String[] D = {"", "a", "b", "a long name that is longer than thirty-two bytes, ünïcödé"};

    private final Random random;
    private final Words words;
    private final Keys keys;
    private final List<Event> made = new ArrayList<>();

    Tangle(long seed) {
        random = new Random(seed);
        words = new Words(random);
        keys = new Keys(seed);
    }

    @Override
    public Event next() {
        Event event = make(random.nextInt(100));
        made.add(event);
        return event;
    }

    private Event make(int dice) {
        if (made.isEmpty() || dice < 40) {
            return sign(one(REGULAR), tags());
        }
        if (dice < 55) {
            return sign(one(REPLACEABLE), tags());
        }
        if (dice < 70) {
            List<Tag> tags = tags();
            tags.add(d());
            return sign(one(ADDRESSABLE), tags);
        }
        if (dice < 72) {
            return sign(20_001, tags());
        }
        if (dice < 80) {
            return sign(random.nextBoolean() ? 4 : 1059, List.of(p()));
        }
        if (dice < 84) {
            List<Tag> tags = tags();
            tags.add(Tag.of("expiration", Long.toString(BEGIN + random.nextInt(4 * SECONDS))));
            return sign(random.nextBoolean() ? 1 : 30_023, tags);
        }
        if (dice < 91) {
            return sign(5, List.of(Tag.of("e", idToDelete())));
        }
        if (dice < 97) {
            return deletionByAddress();
        }
        if (dice < 99) {
            return vanish();
        }
        return sign(
                5, List.of(Tag.of("e", idToDelete()), Tag.of("e", some().id().hex()), Tag.of("k", "1")));
    }

    private Event deletionByAddress() {
        int author = random.nextInt(AUTHORS);
        int whose = random.nextInt(5) == 0 ? random.nextInt(AUTHORS) : author;
        boolean isReplaceable = random.nextBoolean();
        int kind = isReplaceable ? one(REPLACEABLE) : one(ADDRESSABLE);
        String d = isReplaceable ? "" : D[random.nextInt(D.length)];
        Tag target = Tag.of("a", kind + ":" + keys.publicKey(whose).hex() + ":" + d);
        return sign(author, 5, List.of(target));
    }

    private Event vanish() {
        String relay = random.nextInt(3) == 0 ? "wss://elsewhere.example.com" : "ALL_RELAYS";
        EventDraft draft = new EventDraft(
                BEGIN + random.nextInt(SECONDS / 2), 62, List.of(Tag.of("relay", relay)), made.size() + " goodbye");
        return keys.signer(random.nextInt(AUTHORS)).sign(draft);
    }

    /// An id that was made, or that is going to be made by no one.
    private String idToDelete() {
        return random.nextInt(8) == 0
                ? keys.publicKey(random.nextInt(AUTHORS)).hex()
                : some().id().hex();
    }

    private List<Tag> tags() {
        List<Tag> tags = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            tags.add(
                    switch (random.nextInt(7)) {
                        case 0 -> p();
                        case 1 -> Tag.of("e", made.isEmpty() ? "" : some().id().hex());
                        case 2 -> Tag.of("t", words.word(), "and more");
                        case 3 -> Tag.of("T", words.word());
                        case 4 -> Tag.of("t");
                        case 5 -> Tag.of("long", words.text(3));
                        default -> Tag.of("r", words.text(random.nextInt(60)));
                    });
        }
        return tags;
    }

    private Tag d() {
        return random.nextInt(10) == 0 ? Tag.of("d") : Tag.of("d", D[random.nextInt(D.length)]);
    }

    private Tag p() {
        return Tag.of("p", keys.publicKey(random.nextInt(AUTHORS)).hex());
    }

    private Event some() {
        return made.get(random.nextInt(made.size()));
    }

    private int one(int[] kinds) {
        return kinds[random.nextInt(kinds.length)];
    }

    private Event sign(int kind, List<Tag> tags) {
        return sign(random.nextInt(AUTHORS), kind, tags);
    }

    private Event sign(int author, int kind, List<Tag> tags) {
        long time = BEGIN + random.nextInt(SECONDS);
        // The content makes ids differ where all else is the same.
        String content = made.size() + " " + words.text(random.nextInt(6));
        return keys.signer(author).sign(new EventDraft(time, kind, tags, content));
    }
}
