package postroad.nostr.kit;

import java.util.List;
import java.util.Random;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;

/// Notes without tags by authors who take turns, a second apart. Owned by one thread.
final class Plain implements Corpus {
    private static final int WORDS = 40;

    private final Words words;
    private final Keys keys;
    private final int authors;
    private final long begin;
    private int made;

    Plain(long seed, int authors, long begin) {
        this.words = new Words(new Random(seed));
        this.keys = new Keys(seed);
        this.authors = authors;
        this.begin = begin;
    }

    @Override
    public Event next() {
        int number = made++;
        return keys.signer(number % authors).sign(new EventDraft(begin + number, 1, List.of(), words.text(WORDS)));
    }
}
