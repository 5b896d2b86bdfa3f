package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static postroad.nostr.relay.TestRelay.NOW;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.nostr.core.Event;

/// Where permessage-deflate begins: no message below 1 KiB is compressed, every one from there on that shrinks is.
@ExtendWith(Leaks.class)
class DeflateBoundaryTest {
    private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate";
    private static final int PLAIN = 0x81;
    private static final int COMPRESSED = 0xc1;

    @ParameterizedTest
    @CsvSource({"500, 129", "1023, 129", "1024, 193", "1025, 193", "4096, 193", "100000, 193"})
    void compressesEventsFromOneKibibyteOn(int length, int first) throws IOException {
        try (TestRelay relay = TestRelay.start();
                RawClient live = relay.client(OFFER);
                RawClient stored = relay.client(OFFER);
                RawClient plain = relay.client()) {
            Event event = ofMessageLength(relay, length);
            String expected = message(event);
            live.request("s", "{\"limit\":0}");

            relay.ingest(List.of(event));
            stored.send("[\"REQ\",\"s\",{}]");
            plain.send("[\"REQ\",\"s\",{}]");

            demand(live.nextFrame(), first, expected);
            demand(stored.nextFrame(), first, expected);
            demand(plain.nextFrame(), PLAIN, expected);
        }
    }

    @Test
    void compressesOtherMessagesFromThereOnToo() throws IOException {
        try (TestRelay relay = TestRelay.start();
                RawClient client = relay.client(OFFER)) {
            for (int length : new int[] {400, 4_000}) {
                client.send("[\"" + "V".repeat(length) + "\"]");
                RawClient.Frame frame = client.nextFrame();
                String text = frame.first() == PLAIN ? frame.text() : FrameReaderTest.inflate(frame.bytes());

                assertThat(text).startsWith("[\"NOTICE\",\"");
                assertThat(frame.first()).as(text.length() + " characters").isEqualTo(kind(text.length()));
            }
        }
    }

    private static int kind(int length) {
        return length < 1 << 10 ? PLAIN : COMPRESSED;
    }

    private static void demand(RawClient.Frame frame, int first, String expected) {
        assertThat(frame.first()).isEqualTo(first);
        assertThat(first == PLAIN ? frame.text() : FrameReaderTest.inflate(frame.bytes()))
                .isEqualTo(expected);
    }

    private static Event ofMessageLength(TestRelay relay, int length) {
        int without = message(relay.note(1, NOW, "")).length();
        Event event = relay.note(1, NOW, "z".repeat(length - without));
        assertThat(message(event)).hasSize(length);
        return event;
    }

    private static String message(Event event) {
        return "[\"EVENT\",\"s\"," + event.json() + "]";
    }
}
