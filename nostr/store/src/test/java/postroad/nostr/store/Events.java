package postroad.nostr.store;

import java.util.Arrays;
import java.util.List;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Keys;

/// Makes signed events with few words. Owned by one thread.
final class Events {
    private final Keys keys = new Keys(7);
    private int made;

    Signer author(int index) {
        return keys.signer(index);
    }

    String key(int index) {
        return keys.publicKey(index).hex();
    }

    Event note(int author, long time, Tag... tags) {
        return event(author, time, 1, tags);
    }

    /// An event whose content no other has.
    Event event(int author, long time, int kind, Tag... tags) {
        return event(author, time, kind, "number " + ++made, tags);
    }

    Event event(int author, long time, int kind, String content, Tag... tags) {
        return author(author).sign(new EventDraft(time, kind, List.of(tags), content));
    }

    Event deletion(int author, long time, Event... targets) {
        Tag[] tags = Arrays.stream(targets)
                .map(target -> Tag.of("e", target.id().hex()))
                .toArray(Tag[]::new);
        return event(author, time, 5, tags);
    }

    Event deletionOf(int author, long time, int kind, int whose, String d) {
        return event(author, time, 5, Tag.of("a", kind + ":" + key(whose) + ":" + d));
    }

    Event vanish(int author, long time, String relay) {
        return event(author, time, 62, Tag.of("relay", relay));
    }

    Event wrapFor(int recipient, int author, long time) {
        return event(author, time, 1059, Tag.of("p", key(recipient)));
    }
}
