package postroad.nostr.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.ModelStore.Asker;
import postroad.nostr.kit.ModelStore.Outcome;

/// Each rule of the judge, told once as an example.
class ModelStoreRulesTest {
    private static final long NOW = 1_000;

    private final Keys keys = new Keys(1);
    private final ModelStore store =
            new ModelStore(Set.of(RelayUrl.parse("wss://relay.example.com").orElseThrow()));

    @Test
    void keepsTheNewestVersionAndOfATieTheLowestId() {
        Event old = event(0, 0, 10, "old");
        Event one = event(0, 0, 20, "one");
        Event two = event(0, 0, 20, "two");
        Event low = one.id().hex().compareTo(two.id().hex()) < 0 ? one : two;
        Event high = low.equals(one) ? two : one;

        assertThat(write(old)).isEqualTo(Outcome.STORED);
        assertThat(write(high)).isEqualTo(Outcome.STORED);
        assertThat(write(low)).isEqualTo(Outcome.STORED);
        assertThat(write(high)).isEqualTo(Outcome.SUPERSEDED);
        assertThat(write(old)).isEqualTo(Outcome.SUPERSEDED);
        assertThat(write(low)).isEqualTo(Outcome.DUPLICATE);
        assertThat(ids()).containsExactly(low.id().hex());
    }

    @Test
    void tellsAddressesApartByAuthorKindAndD() {
        write(event(0, 30_023, 10, "", Tag.of("d", "a")));
        write(event(0, 30_023, 10, "", Tag.of("d", "b")));
        write(event(0, 30_024, 10, "", Tag.of("d", "a")));
        write(event(1, 30_023, 10, "", Tag.of("d", "a")));
        write(event(0, 30_023, 11, "", Tag.of("d", "a"), Tag.of("d", "b")));
        write(event(0, 30_023, 12, "", Tag.of("d", "")));
        write(event(0, 30_023, 13, "", Tag.of("d")));
        write(event(0, 30_023, 14, ""));

        assertThat(ids()).hasSize(5);
    }

    @Test
    void deletesOwnEventsByIdAndRefusesThemEverAfter() {
        Event own = event(0, 1, 10, "own");
        Event others = event(1, 1, 10, "others");
        write(own);
        write(others);

        Event deletion = event(
                0,
                5,
                5,
                "",
                Tag.of("e", own.id().hex()),
                Tag.of("e", others.id().hex()));
        assertThat(write(deletion)).isEqualTo(Outcome.STORED);

        assertThat(ids())
                .containsExactlyInAnyOrder(others.id().hex(), deletion.id().hex());
        assertThat(write(own)).isEqualTo(Outcome.DELETED);
    }

    @Test
    void deletesVersionsByAddressUpToTheTimeOfTheDeletion() {
        Tag address = Tag.of("a", "30023:" + keys.publicKey(0).hex() + ":x");
        Event deletion = event(0, 5, 20, "", address);
        write(event(0, 30_023, 20, "", Tag.of("d", "x")));

        write(deletion);
        write(event(1, 5, 99, "", address));

        assertThat(write(event(0, 30_023, 20, "again", Tag.of("d", "x")))).isEqualTo(Outcome.DELETED);
        assertThat(write(event(0, 30_023, 21, "newer", Tag.of("d", "x")))).isEqualTo(Outcome.STORED);
    }

    @Test
    void aDeletedVersionDoesNotBringBackTheOneBefore() {
        Event older = event(0, 0, 10, "older");
        Event newer = event(0, 0, 20, "newer");
        write(newer);
        write(event(0, 5, 30, "", Tag.of("e", newer.id().hex())));

        assertThat(write(older)).isEqualTo(Outcome.DELETED);
        assertThat(write(event(0, 0, 21, "newest"))).isEqualTo(Outcome.STORED);
    }

    @Test
    void neverDeletesADeletionOrARequestToVanish() {
        Event deletion = event(0, 5, 10, "");
        Event vanish = event(0, 62, 5, "", Tag.of("relay", "ALL_RELAYS"));
        write(deletion);
        write(vanish);

        write(event(
                0,
                5,
                30,
                "",
                Tag.of("e", deletion.id().hex()),
                Tag.of("e", vanish.id().hex())));

        assertThat(ids()).contains(deletion.id().hex(), vanish.id().hex());
    }

    @Test
    void anAuthorVanishesUpToTheTimeOfTheRequest() {
        Event wrap = event(3, 1059, 8, "", Tag.of("p", keys.publicKey(0).hex()));
        write(event(0, 1, 10, "note"));
        write(event(0, 5, 10, "deletion"));
        write(wrap);
        Event later = event(0, 1, 11, "later");
        write(later);
        Event others = event(1, 1, 10, "others");
        write(others);

        Event request = event(0, 62, 10, "", Tag.of("relay", "WSS://relay.example.com:443/"));
        assertThat(write(request)).isEqualTo(Outcome.STORED);

        assertThat(ids())
                .containsExactlyInAnyOrder(
                        later.id().hex(), others.id().hex(), request.id().hex());
        assertThat(write(event(0, 1, 10, "another"))).isEqualTo(Outcome.VANISHED);
        assertThat(write(wrap)).isEqualTo(Outcome.VANISHED);
    }

    @Test
    void aRequestToVanishFromElsewhereIsKeptAndDoesNothing() {
        write(event(0, 1, 10, "note"));

        write(event(0, 62, 20, "", Tag.of("relay", "wss://other.example.com")));

        assertThat(ids()).hasSize(2);
    }

    @Test
    void theAddresseeOfAGiftWrapMayDeleteIt() {
        Event wrap = event(3, 1059, 8, "", Tag.of("p", keys.publicKey(0).hex()));
        Event note = event(3, 1, 8, "", Tag.of("p", keys.publicKey(0).hex()));
        write(wrap);
        write(note);

        write(event(
                0,
                5,
                20,
                "",
                Tag.of("e", wrap.id().hex()),
                Tag.of("e", note.id().hex())));

        assertThat(ids()).contains(note.id().hex()).doesNotContain(wrap.id().hex());
    }

    @Test
    void whatHasExpiredIsRefusedWithheldAndSwept() {
        Event event = event(0, 1, 10, "", Tag.of("expiration", "1001"));
        write(event);

        assertThat(store.query(List.of("{}"), Asker.OPERATOR, NOW)).hasSize(1);
        assertThat(store.query(List.of("{}"), Asker.OPERATOR, 1_001)).isEmpty();
        assertThat(store.removeExpired(1_000)).isZero();
        assertThat(store.removeExpired(1_001)).isOne();
        assertThat(store.write(event, 1_001)).isEqualTo(Outcome.EXPIRED);
    }

    @Test
    void ephemeralEventsTakeASequenceNumberAndNoPlace() {
        assertThat(write(event(0, 20_000, 10, ""))).isEqualTo(Outcome.EPHEMERAL);
        assertThat(write(event(0, 1, 10, ""))).isEqualTo(Outcome.STORED);

        assertThat(store.rows()).extracting(ModelStore.Row::sequence).containsExactly(2L);
    }

    @Test
    void eachFilterHasItsOwnLimitAndEachEventComesOnce() {
        for (int time = 1; time <= 5; time++) {
            write(event(0, 1, time, ""));
            write(event(0, 7, time, ""));
        }
        List<String> filters = List.of("{\"kinds\":[1],\"limit\":2}", "{\"limit\":3}", "{\"kinds\":[7],\"limit\":0}");

        List<SlowEvent> found = store.query(filters, Asker.OPERATOR, NOW);

        assertThat(found).isSortedAccordingTo(SlowEvent.ORDER).doesNotHaveDuplicates();
        assertThat(found).extracting(SlowEvent::createdAt).contains(5L, 4L).doesNotContain(2L, 1L);
        assertThat(found).hasSizeBetween(3, 4);
        assertThat(store.hasMore(filters, Asker.OPERATOR, NOW)).isTrue();
        assertThat(store.count(filters, Asker.OPERATOR, NOW)).isEqualTo(10);
    }

    @Test
    void privateKindsAreShownToTheirPartiesOnly() {
        write(event(0, 4, 10, "", Tag.of("p", keys.publicKey(1).hex())));
        Set<Integer> kinds = Set.of(4);

        assertThat(count(new Asker(Set.of(), kinds))).isZero();
        assertThat(count(new Asker(Set.of(keys.publicKey(2).hex()), kinds))).isZero();
        assertThat(count(new Asker(Set.of(keys.publicKey(0).hex()), kinds))).isOne();
        assertThat(count(new Asker(Set.of(keys.publicKey(1).hex()), kinds))).isOne();
        assertThat(count(Asker.OPERATOR)).isOne();
    }

    private long count(Asker asker) {
        return store.count(List.of("{}"), asker, NOW);
    }

    private Outcome write(Event event) {
        return store.write(event, NOW);
    }

    private List<String> ids() {
        return store.rows().stream().map(row -> row.event().id()).toList();
    }

    private Event event(int author, int kind, long createdAt, String content, Tag... tags) {
        return keys.signer(author).sign(new EventDraft(createdAt, kind, List.of(tags), content));
    }
}
