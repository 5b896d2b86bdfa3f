package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static postroad.nostr.relay.TestRelay.NOW;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.kit.Keys;

/// That the bytes of a large live event are in memory once, however many receive it.
@ExtendWith(Leaks.class)
class SharingTest {
    private static final byte[] PREFIX = "[\"EVENT\",\"s\",".getBytes(UTF_8);

    private final ByteBudget output = new ByteBudget(1 << 30);
    private final Tails kept = new Tails(output);
    private final Deflating deflating = new Deflating();
    private final List<EmbeddedChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        kept.sweep();
        assertThat(output.taken()).isZero();
        deflating.close();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void receiversOfALargeEventShareItsBytes() {
        Event event = note("large ".repeat(1_000));
        List<ByteBuf> tails = deliver(event, 3);

        assertThat(tails).allSatisfy(tail -> assertThat(tail.toString(UTF_8)).isEqualTo(event.json() + "]"));
        // What is written into one receiver's bytes is seen in all the others': they are the same memory.
        tails.getFirst().setByte(0, 'X');
        assertThat(tails).allSatisfy(tail -> assertThat(tail.getByte(0)).isEqualTo((byte) 'X'));
        tails.forEach(ByteBuf::release);
    }

    @Test
    void receiversOfASmallEventGetItInOneBufferOfTheirOwn() {
        Event event = note("small");
        List<ByteBuf> tails = deliver(event, 2);

        assertThat(tails)
                .allSatisfy(tail ->
                        assertThat(tail.toString(UTF_8)).endsWith(new String(PREFIX, UTF_8) + event.json() + "]"));
        tails.getFirst().setByte(0, 'X');
        assertThat(tails.getLast().getByte(0)).isNotEqualTo((byte) 'X');
        tails.forEach(ByteBuf::release);
    }

    /// The last buffer that each of the receivers was sent.
    private List<ByteBuf> deliver(Event event, int receivers) {
        List<ByteBuf> last = new ArrayList<>();
        try (LiveEvent live = new LiveEvent(event, 1, false, kept)) {
            for (int i = 0; i < receivers; i++) {
                EmbeddedChannel channel = new EmbeddedChannel();
                channels.add(channel);
                Outbox outbox = new Outbox(channel, false, deflating, Limits.DEFAULT, output);
                outbox.live(PREFIX, live);
                outbox.flush();
                last.add(lastSent(channel));
            }
        }
        return last;
    }

    private static ByteBuf lastSent(EmbeddedChannel channel) {
        ByteBuf last = channel.readOutbound();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            last.release();
            last = next;
        }
        return last;
    }

    private static Event note(String content) {
        return new Keys(3).signer(0).sign(new EventDraft(NOW, 1, List.of(), content));
    }
}
