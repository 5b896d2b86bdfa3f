package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static postroad.nostr.relay.TestRelay.NOW;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.Tag;

/// That the sizes which the relay states by default can be used to their last byte.
@ExtendWith(Leaks.class)
class SizesTest {
    private static final EventLimits LIMITS = Limits.DEFAULT.event();

    private static TestRelay relay;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(TestRelay.defaults().with(s -> {
            s.messageBytes = Limits.DEFAULT.messageBytes();
            s.event = LIMITS;
        }));
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @Test
    void takesAnEventOfExactlyTheStatedSizeAndNoByteMore() throws IOException {
        Event largest = ofBytes(LIMITS.maxBytes());
        Event larger = ofBytes(LIMITS.maxBytes() + 1);

        demandTakenAndRefused(largest, larger, "invalid: the event is larger than " + LIMITS.maxBytes() + " bytes");
    }

    @Test
    void takesContentOfExactlyTheStatedLengthAndNoByteMore() throws IOException {
        Event longest = relay.note(1, NOW, "c".repeat(LIMITS.maxContentBytes()));
        Event longer = relay.note(1, NOW, "c".repeat(LIMITS.maxContentBytes() + 1));

        demandTakenAndRefused(longest, longer, "invalid: content is longer than " + LIMITS.maxContentBytes());
    }

    /// Spaces between all members, and letters written as escapes: bytes of the message, not of the event.
    @Test
    void takesTheLargestEventThoughItIsWrittenWithMoreBytesThanNeeded() throws IOException {
        Event largest = ofBytes(LIMITS.maxBytes());
        String wide = largest.json().replace(",", " , ").replace("vvvvvvvvvv", "\\u0076vvvvvvvvv");
        assertThat(wide.length()).isGreaterThan(LIMITS.maxBytes() + 100_000);
        try (RawClient client = relay.client()) {
            client.send("[\"EVENT\", " + wide + " ]");

            assertThat(client.next()).startsWith("[\"OK\",\"" + largest.id().hex() + "\",true,");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9})
    void refusesAMessageLimitThatCannotHoldTheLargestEvent(int more) {
        var settings = TestRelay.defaults().with(s -> s.messageBytes = s.event.maxBytes() + more);

        assertThatThrownBy(settings::config).hasMessageContaining("the limit of message is ");
        settings.messageBytes = settings.event.maxBytes() + Limits.ENVELOPE_BYTES;
        assertThat(settings.config().limits().messageBytes()).isEqualTo(settings.event.maxBytes() + 10);
    }

    @Test
    void refusesAnEventLimitThatCannotHoldTheLongestContent() {
        var settings = TestRelay.defaults().with(s -> s.event = new EventLimits(10_000, 1, 1, 9_649));

        assertThatThrownBy(settings::config)
                .hasMessageContaining("the limit of event is 10000, but must be at least 10001");
    }

    private static void demandTakenAndRefused(Event taken, Event refused, String reason) throws IOException {
        try (RawClient client = relay.client()) {
            client.sendEvent(refused);
            assertThat(client.next()).startsWith("[\"OK\",\"" + refused.id().hex() + "\",false,\"" + reason);

            client.sendEvent(taken);
            assertThat(client.next()).startsWith("[\"OK\",\"" + taken.id().hex() + "\",true,\"");

            client.send("[\"REQ\",\"s\",{\"ids\":[\"" + taken.id().hex() + "\"]}]");
            assertThat(client.next()).isEqualTo("[\"EVENT\",\"s\"," + taken.json() + "]");
        }
    }

    /// An event whose JSON has this many bytes: many tags of the longest values, the rest content.
    private static Event ofBytes(int bytes) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < bytes / LIMITS.maxTagValueBytes() - 3; i++) {
            tags.add(Tag.of("x" + i, "v".repeat(LIMITS.maxTagValueBytes())));
        }
        Tag[] all = tags.toArray(Tag[]::new);
        int without = relay.note(1, NOW, "", all).jsonLength();
        Event event = relay.note(1, NOW, "c".repeat(bytes - without), all);
        assertThat(event.jsonLength()).isEqualTo(bytes);
        return event;
    }
}
