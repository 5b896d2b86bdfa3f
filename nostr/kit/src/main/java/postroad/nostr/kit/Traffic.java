package postroad.nostr.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Tag;

/// A corpus shaped like what public relays carry. Owned by one thread.
final class Traffic implements Corpus {
    private static final int AUTHORS = 600;
    private static final int HASHTAGS = 300;
    private static final int THROW_AWAY_KEYS = 64;

    /// How many events back replies and reactions may point.
    private static final int MEMORY = 2_000;

    private final Random random;
    private final Words words;
    private final Keys keys;
    private final List<Event> recent = new ArrayList<>();
    private long made;
    private long time = BEGIN;

    Traffic(long seed) {
        random = new Random(seed);
        words = new Words(random);
        keys = new Keys(seed);
    }

    @Override
    public Event next() {
        time += random.nextInt(4);
        int author = words.skewed(AUTHORS);
        Event event = make(author, random.nextInt(1000));
        if (recent.size() < MEMORY) {
            recent.add(event);
        } else {
            recent.set((int) (made % MEMORY), event);
        }
        made++;
        return event;
    }

    private Event make(int author, int dice) {
        if (recent.isEmpty() || dice < 440) {
            return note(author);
        }
        if (dice < 680) {
            return reaction(author);
        }
        if (dice < 740) {
            return repost(author);
        }
        if (dice < 780) {
            return profile(author);
        }
        if (dice < 800) {
            return follows(author);
        }
        if (dice < 815) {
            return article(author);
        }
        if (dice < 860) {
            return wrap();
        }
        if (dice < 880) {
            return sign(author, 4, List.of(p(words.skewed(AUTHORS))), words.cipher(200) + "?iv=" + words.cipher(24));
        }
        if (dice < 905) {
            return relayList(author);
        }
        if (dice < 920) {
            return deletion(author);
        }
        if (dice < 925) {
            return report(author);
        }
        return zap(author);
    }

    private Event note(int author) {
        List<Tag> tags = new ArrayList<>();
        if (!recent.isEmpty() && random.nextInt(100) < 55) {
            reply(tags, some());
        }
        if (random.nextInt(100) < 25) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                tags.add(Tag.of("t", "tag" + words.skewed(HASHTAGS)));
            }
        }
        if (random.nextInt(100) < 5) {
            tags.add(Tag.of("client", "postroad-kit"));
        }
        if (random.nextInt(100) < 3) {
            tags.add(Tag.of("expiration", Long.toString(time + 400_000_000)));
        }
        return sign(author, 1, tags, words.text(3 + words.skewed(80)));
    }

    private static void reply(List<Tag> tags, Event parent) {
        List<Tag> threads = parent.kind() == 1
                ? parent.tags().stream().filter(tag -> tag.name().equals("e")).toList()
                : List.of();
        String root = threads.isEmpty() ? parent.id().hex() : threads.getFirst().value();
        tags.add(Tag.of("e", root, "wss://relay.example.com", "root"));
        if (!threads.isEmpty()) {
            tags.add(Tag.of("e", parent.id().hex(), "", "reply"));
        }
        tags.add(Tag.of("p", parent.author().hex()));
    }

    private Event reaction(int author) {
        Event target = some();
        List<Tag> tags = List.of(
                Tag.of("e", target.id().hex()),
                Tag.of("p", target.author().hex()),
                Tag.of("k", Integer.toString(target.kind())));
        return sign(author, 7, tags, random.nextInt(3) == 0 ? "🤙" : "+");
    }

    private Event repost(int author) {
        Event target = some();
        List<Tag> tags = List.of(
                Tag.of("e", target.id().hex(), "wss://relay.example.com"),
                Tag.of("p", target.author().hex()));
        return sign(author, target.kind() == 1 ? 6 : 16, tags, random.nextInt(2) == 0 ? "" : target.json());
    }

    private Event profile(int author) {
        String about =
                words.text(10).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return sign(
                author,
                0,
                List.of(),
                "{\"name\":\"author " + author + "\",\"about\":\"" + about + "\",\"picture\":\"https://example.com/"
                        + author + ".png\"}");
    }

    private Event follows(int author) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 10 + words.skewed(400); i > 0; i--) {
            tags.add(p(random.nextInt(AUTHORS)));
        }
        return sign(author, 3, tags, "");
    }

    private Event article(int author) {
        List<Tag> tags = List.of(
                Tag.of("d", words.word() + "-" + random.nextInt(20)),
                Tag.of("title", words.text(5)),
                Tag.of("published_at", Long.toString(time)),
                Tag.of("t", "tag" + words.skewed(HASHTAGS)));
        return sign(author, 30_023, tags, words.text(300 + words.skewed(2_000)));
    }

    private Event wrap() {
        Tag recipient = p(words.skewed(AUTHORS));
        EventDraft draft = new EventDraft(
                time - random.nextInt(172_800), 1059, List.of(recipient), words.cipher(800 + random.nextInt(600)));
        return keys.signer(AUTHORS + random.nextInt(THROW_AWAY_KEYS)).sign(draft);
    }

    private Event relayList(int author) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            tags.add(Tag.of("r", "wss://relay" + random.nextInt(30) + ".example.com", i % 2 == 0 ? "read" : "write"));
        }
        return sign(author, 10_002, tags, "");
    }

    private Event deletion(int author) {
        Event target = some();
        String own = keys.publicKey(author).hex();
        String id = recent.stream()
                .filter(event -> event.author().hex().equals(own))
                .map(event -> event.id().hex())
                .findFirst()
                .orElse(target.id().hex());
        return sign(author, 5, List.of(Tag.of("e", id), Tag.of("k", "1")), "posted by mistake");
    }

    private Event report(int author) {
        Event target = some();
        List<Tag> tags = List.of(
                Tag.of("e", target.id().hex(), "spam"),
                Tag.of("p", target.author().hex(), "spam"));
        return sign(author, 1984, tags, "");
    }

    private Event zap(int author) {
        Event target = some();
        List<Tag> tags = List.of(
                Tag.of("p", target.author().hex()),
                Tag.of("e", target.id().hex()),
                Tag.of("P", keys.publicKey(author).hex()),
                Tag.of("bolt11", "lnbc" + words.cipher(180)),
                Tag.of("description", "{\"kind\":9734,\"content\":\"" + words.word() + "\"}"));
        return sign(words.skewed(20), 9735, tags, "");
    }

    /// An event of late, the latest far more often.
    private Event some() {
        int back = words.skewed(recent.size());
        int newest = made <= MEMORY ? recent.size() - 1 : (int) ((made - 1) % MEMORY);
        return recent.get(Math.floorMod(newest - back, recent.size()));
    }

    private Tag p(int author) {
        return Tag.of("p", keys.publicKey(author).hex());
    }

    private Event sign(int author, int kind, List<Tag> tags, String content) {
        return keys.signer(author).sign(new EventDraft(time, kind, tags, content));
    }
}
