package postroad.nostr.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.common.Bytes32;
import postroad.common.SecretKey;

/// The small values: relay URLs, addresses, kind classes, tag values, drafts, limits.
class ValuesTest {
    private static final String KEY = "0123456789abcdef".repeat(4);

    @ParameterizedTest
    @CsvSource({
        "wss://relay.example.com,wss://relay.example.com",
        "wss://relay.example.com/,wss://relay.example.com",
        "wss://relay.example.com//,wss://relay.example.com",
        "WSS://Relay.Example.COM:443/,wss://relay.example.com",
        "wss://relay.example.com.,wss://relay.example.com",
        "ws://relay.example.com:80,ws://relay.example.com",
        "ws://relay.example.com:443,ws://relay.example.com:443",
        "wss://relay.example.com:80,wss://relay.example.com:80",
        "wss://relay.example.com/Path/,wss://relay.example.com/Path",
        "wss://relay.example.com/a/../b,wss://relay.example.com/b",
        "wss://relay.example.com/?a=B,wss://relay.example.com?a=B",
        "wss://relay.example.com/#x,wss://relay.example.com",
        "' wss://relay.example.com ',wss://relay.example.com",
        "ws://127.0.0.1:7447,ws://127.0.0.1:7447",
        "ws://[::1]:7447/,ws://[::1]:7447",
        "ws://[0:0:0:0:0:0:0:A]:80/,ws://[0:0:0:0:0:0:0:a]"
    })
    void aRelayUrlHasOneNormalForm(String url, String normal) {
        assertThat(RelayUrl.parse(url)).contains(new RelayUrl(normal));
        assertThat(RelayUrl.parse(normal)).contains(new RelayUrl(normal));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "relay.example.com",
                "https://relay.example.com",
                "wss:",
                "wss://",
                "wss:///path",
                "wss:relay",
                "wss://user@relay.example.com",
                "wss://a b",
                "ALL_RELAYS"
            })
    void whatIsNoRelayUrlIsRefused(String url) {
        assertThat(RelayUrl.parse(url)).isEmpty();
    }

    @Test
    void readsAddressesOfKindsThatHaveThem() {
        PublicKey author = PublicKey.ofHex(KEY);

        assertThat(Address.parse("30023:" + KEY + ":a:b")).contains(new Address(30_023, author, "a:b"));
        assertThat(Address.parse("39999:" + KEY + ":")).contains(new Address(39_999, author, ""));
        assertThat(Address.parse("0:" + KEY + ":")).contains(new Address(0, author, ""));
        assertThat(Address.parse("10002:" + KEY + ":")).contains(new Address(10_002, author, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "::",
                "30023",
                "30023:KEY",
                "1:KEY:",
                "5:KEY:",
                "20000:KEY:",
                "40000:KEY:",
                "65536:KEY:",
                "99999:KEY:",
                "030023:KEY:",
                "00003:KEY:",
                "-3:KEY:",
                "+3:KEY:",
                "3:KEY:d",
                "3:KEYa:",
                "3:abc:",
                "30023:ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123:d"
            })
    void whatIsNoAddressIsRefused(String text) {
        assertThat(Address.parse(text.replace("KEY", KEY))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0,REPLACEABLE",
        "1,REGULAR",
        "2,REGULAR",
        "3,REPLACEABLE",
        "4,REGULAR",
        "44,REGULAR",
        "45,REGULAR",
        "999,REGULAR",
        "1000,REGULAR",
        "9999,REGULAR",
        "10000,REPLACEABLE",
        "19999,REPLACEABLE",
        "20000,EPHEMERAL",
        "29999,EPHEMERAL",
        "30000,ADDRESSABLE",
        "39999,ADDRESSABLE",
        "40000,REGULAR",
        "65535,REGULAR"
    })
    void aKindHasOneClass(int kind, KindClass expected) {
        assertThat(KindClass.of(kind)).isEqualTo(expected);
    }

    @Test
    void aTagValueIsBytesWhereItIsHexAndTextElsewhere() {
        assertThat(TagValue.of(KEY).isRaw()).isTrue();
        assertThat(TagValue.of(KEY)).isEqualTo(TagValue.of(Bytes32.ofHex(KEY)));
        assertThat(TagValue.of(KEY).text()).isEqualTo(KEY);
        assertThat(TagValue.of(KEY.toUpperCase(java.util.Locale.ROOT)).isRaw()).isFalse();
        assertThat(TagValue.of(KEY + "0").isRaw()).isFalse();
        assertThat(TagValue.of("ünï").text()).isEqualTo("ünï");
        assertThat(TagValue.of("")).isNotEqualTo(TagValue.of("a"));
    }

    @Test
    void aSignedDraftIsTheEventItDescribes() {
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));
        List<Tag> tags = List.of(Tag.of("e", KEY), Tag.of("d", "a\u0000\"b"), Tag.of("d", "second"), Tag.of());
        EventDraft draft = new EventDraft(17, 30_023, tags, "text \\ \u001f 😀");

        Event event = draft.sign(key);

        assertThat(VerifiedEvent.verify(event)).isPresent();
        assertThat(event.author().hex()).isEqualTo("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9");
        assertThat(event.createdAt()).isEqualTo(17);
        assertThat(event.kind()).isEqualTo(30_023);
        assertThat(event.kindClass()).isEqualTo(KindClass.ADDRESSABLE);
        assertThat(event.tags()).isEqualTo(tags);
        assertThat(event.content()).isEqualTo(draft.content());
        assertThat(event.d()).isEqualTo("a\0\"b");
        assertThat(draft.sign(key).json()).isEqualTo(event.json());
    }

    @Test
    void aSignatureOfAnotherEventIsNotGenuine() {
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));
        Event one = new EventDraft(1, 1, List.of(), "one").sign(key);
        Event two = new EventDraft(1, 1, List.of(), "two").sign(key);
        byte[] forged = two.json()
                .replace(two.signatureHex(), one.signatureHex())
                .getBytes(java.nio.charset.StandardCharsets.UTF_8);

        EventParser.Result result = new EventParser(EventLimits.HARD).parse(forged, 0, forged.length);

        assertThat(result)
                .isInstanceOfSatisfying(
                        EventParser.Result.Parsed.class,
                        parsed ->
                                assertThat(VerifiedEvent.verify(parsed.event())).isEmpty());
    }

    @Test
    void aDraftThatCannotBeAnEventIsNotMade() {
        assertThatThrownBy(() -> new EventDraft(-1, 1, List.of(), "")).hasMessageContaining("created_at");
        assertThatThrownBy(() -> new EventDraft(1L << 53, 1, List.of(), "")).hasMessageContaining("created_at");
        assertThatThrownBy(() -> new EventDraft(1, 65_536, List.of(), "")).hasMessageContaining("kind");
        assertThatThrownBy(() -> new EventDraft(1, 1, List.of(), "\ud800")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> new EventDraft(1, 1, List.of(Tag.of("t", "\udc00")), ""))
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> new EventDraft(1, 1, List.of(Tag.of("expiration", "x")), "")
                        .sign(SecretKey.of(new Bytes32(0, 0, 0, 3))))
                .hasMessageContaining("expiration");
    }

    @Test
    void limitsMustBePositiveAndFitThePackedForm() {
        assertThatThrownBy(() -> new EventLimits(0, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EventLimits(1, 1, 1 << 24, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new EventLimits(1, 1, (1 << 24) - 1, 1).maxTags()).isEqualTo(1);
    }

    @Test
    void theTagTableHoldsOneLetterTagsInTheirOrder() {
        List<Tag> tags = List.of(
                Tag.of("p", KEY, "more"),
                Tag.of("word", "x"),
                Tag.of("t"),
                Tag.of("d"),
                Tag.of("1", "digit"),
                Tag.of("é", "accent"),
                Tag.of("T", "ü\n"),
                Tag.of(),
                Tag.of("r", ""));
        Event event = new EventDraft(1, 1, tags, "").sign(SecretKey.of(new Bytes32(0, 0, 0, 3)));

        StringBuilder table = new StringBuilder();
        long end = PackedEvent.tagsEnd(event.packed(), 0);
        for (long at = PackedEvent.firstTag(0); at < end; at = PackedEvent.nextTag(event.packed(), at)) {
            table.append(PackedEvent.tagLetter(event.packed(), at))
                    .append(PackedEvent.tagIsRaw(event.packed(), at) ? '!' : '=')
                    .append(PackedEvent.tagText(event.packed(), at))
                    .append(' ');
        }

        assertThat(table).hasToString("p!" + KEY + " d= T=ü\n r= ");
    }

    @Test
    void aViewerSeesPrivateKindsOfItsOwnAndToItself() {
        Bytes32 reader = Bytes32.ofHex(KEY);
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));
        Event toReader = new EventDraft(1, 4, List.of(Tag.of("p", KEY)), "").sign(key);
        Event toOther = new EventDraft(1, 4, List.of(Tag.of("e", KEY), Tag.of("p", "x")), "").sign(key);
        Event open = new EventDraft(1, 1, List.of(), "").sign(key);
        Filter.Kinds kinds = Filter.Kinds.of(4);

        Viewer stranger = Viewer.of(Set.of(), kinds);
        Viewer addressee = Viewer.of(Set.of(reader), kinds);
        Viewer author = Viewer.of(Set.of(toOther.author().bytes()), kinds);

        assertThat(List.of(toReader, toOther, open))
                .extracting(event -> stranger.maySee(event.packed(), 0))
                .containsExactly(false, false, true);
        assertThat(List.of(toReader, toOther, open))
                .extracting(event -> addressee.maySee(event.packed(), 0))
                .containsExactly(true, false, true);
        assertThat(List.of(toReader, toOther, open))
                .extracting(event -> author.maySee(event.packed(), 0))
                .containsExactly(true, true, true);
        assertThat(Viewer.OPERATOR.maySee(toOther.packed(), 0)).isTrue();
    }

    @Test
    void aQueryLeavesOutWhatHasExpired() {
        Event event = new EventDraft(1, 1, List.of(Tag.of("expiration", "10")), "")
                .sign(SecretKey.of(new Bytes32(0, 0, 0, 3)));
        Query query = new Query(List.of(Filter.ALL), Viewer.OPERATOR);

        assertThat(query.matches(event.packed(), 0, 9)).isTrue();
        assertThat(query.matches(event.packed(), 0, 10)).isFalse();
        assertThat(new Query(List.of(), Viewer.OPERATOR).matches(event.packed(), 0, 9))
                .isFalse();
    }

    @Test
    void relayAnswersAreReadAsTheyWereWritten() {
        Event event = new EventDraft(1, 1, List.of(), "x").sign(SecretKey.of(new Bytes32(0, 0, 0, 3)));
        String text = "error: \"quoted\" \\ \n \u0001 é 😀";

        assertThat(read(RelayMessages.ok(event.id(), true, "")))
                .isEqualTo(new RelayMessage.Ok(event.id().hex(), true, ""));
        assertThat(read(RelayMessages.ok("\"odd\"", false, text)))
                .isEqualTo(new RelayMessage.Ok("\"odd\"", false, text));
        assertThat(read(RelayMessages.eose("a"))).isEqualTo(new RelayMessage.Eose("a", List.of()));
        assertThat(read(RelayMessages.eose("a", "finish"))).isEqualTo(new RelayMessage.Eose("a", List.of("finish")));
        assertThat(read(RelayMessages.closed("a", text))).isEqualTo(new RelayMessage.Closed("a", text));
        assertThat(read(RelayMessages.notice(text))).isEqualTo(new RelayMessage.Notice(text));
        assertThat(read(RelayMessages.auth("c"))).isEqualTo(new RelayMessage.Challenge("c"));
        assertThat(read(RelayMessages.count("a", 5_000_000_000L)))
                .isEqualTo(new RelayMessage.Counted("a", 5_000_000_000L, false));
        String frame = utf8(RelayMessages.eventPrefix("a\"b")) + event.json() + "]";
        assertThat(read(frame)).isEqualTo(new RelayMessage.Matched("a\"b", event));
    }

    @Test
    void aClientReadsWhatOtherRelaysSay() {
        assertThat(read("[\"EOSE\",\"a\",\"x\",{}]")).isEqualTo(new RelayMessage.Eose("a", List.of()));
        assertThat(read("[\"EOSE\",\"a\",[\"more\",5,\"new\"]]"))
                .isEqualTo(new RelayMessage.Eose("a", List.of("more", "new")));
        assertThat(read("[\"OK\",\"a\",true]")).isEqualTo(new RelayMessage.Ok("a", true, ""));
        assertThat(read("[\"OK\",\"a\",false,null]")).isEqualTo(new RelayMessage.Ok("a", false, ""));
        assertThat(read("[\"CLOSED\",\"a\"]")).isEqualTo(new RelayMessage.Closed("a", ""));
        assertThat(read("[\"COUNT\",\"a\",{\"hll\":\"00\",\"count\":7,\"approximate\":true}]"))
                .isEqualTo(new RelayMessage.Counted("a", 7, true));
        assertThat(read("[\"COUNT\",\"a\",{}]"))
                .isEqualTo(new RelayMessage.Unreadable("invalid: COUNT without a count"));
        assertThat(read("[\"NEW\",1]"))
                .isEqualTo(new RelayMessage.Unreadable("unsupported: the verb \"NEW\" is unknown"));
        assertThat(read("[\"EVENT\",\"a\",{}]")).isInstanceOf(RelayMessage.Unreadable.class);
    }

    @Test
    void filtersKeepTheirBounds() {
        Filter filter = new Filter(
                Optional.empty(), Optional.empty(), Optional.empty(), List.of(), 5, 7, java.util.OptionalInt.empty());
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));

        for (int time = 4; time <= 8; time++) {
            Event event = new EventDraft(time, 1, List.of(), "").sign(key);
            assertThat(filter.matches(event.packed(), 0)).as("%d", time).isEqualTo(time >= 5 && time <= 7);
        }
    }

    private static RelayMessage read(byte[] bytes) {
        return new RelayMessageParser(EventLimits.HARD).parse(bytes, 0, bytes.length);
    }

    private static RelayMessage read(String text) {
        return read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}
