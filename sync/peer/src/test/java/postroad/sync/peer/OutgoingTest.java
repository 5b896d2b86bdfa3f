package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.FileEnd;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Outcome;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.Window;

final class OutgoingTest {
    private static final int PLENTY = 64 << 20;

    private final Outgoing outgoing = new Outgoing(3, PLENTY, PLENTY);
    private final ByteBuffer batch = ByteBuffer.allocate(4 << 20);

    @Test
    void sendsWhatSteersBeforeAnswersBeforeEntriesBeforeContent() throws Exception {
        outgoing.content(block(10, -1));
        outgoing.entries(new Frame.Entries(List.of()));
        outgoing.answer(new Frame.Done(List.of(new Outcome(1, 0))));
        outgoing.urgent(0, new Frame.Ping(1));

        assertThat(takeFrames(0))
                .containsExactly(
                        new Frame.Ping(1),
                        new Frame.Done(List.of(new Outcome(1, 0))),
                        new Frame.Entries(List.of()),
                        new Written(10));
    }

    @Test
    void sendsOrderedFramesOverTheFirstLinkOnly() throws Exception {
        outgoing.answer(new Frame.Done(List.of(new Outcome(1, 0))));
        outgoing.entries(new Frame.Entries(List.of()));
        outgoing.content(block(10, -1));

        assertThat(takeFrames(1)).containsExactly(new Written(10));
    }

    @Test
    void sendsPinnedContentOverItsLinkOnly() throws Exception {
        outgoing.content(block(10, 2));
        outgoing.content(block(20, -1));

        assertThat(takeFrames(1)).hasToString("[block of 20]");
        assertThat(takeFrames(2)).hasToString("[block of 10]");
    }

    @Test
    void sendsPinnedContentOverAnyLinkOnceItsOwnIsGone() throws Exception {
        outgoing.content(block(10, 2));
        outgoing.unpin(2);
        outgoing.content(block(20, 2));

        assertThat(takeFrames(1)).hasToString("[block of 10]");
        assertThat(takeFrames(1)).hasToString("[block of 20]");
    }

    @Test
    void waitsForCreditAndSaysSoOnce() throws Exception {
        int size = 1 << 20;
        int fits = (int) (Window.CONTENT.initial() / block(size, -1).frameLength());
        for (int i = 0; i < fits + 2; i++) {
            outgoing.content(block(size, -1));
        }

        for (int i = 0; i < fits; i++) {
            assertThat(takeFrames(0)).hasToString("[block of " + size + "]");
        }
        assertThat(takeFrames(0)).containsExactly(new Frame.Blocked(Window.CONTENT));
        outgoing.urgent(0, new Frame.Ping(1));
        assertThat(takeFrames(0)).containsExactly(new Frame.Ping(1));
        outgoing.granted(Window.CONTENT, size + 1000);
        assertThat(takeFrames(0)).hasToString("[block of " + size + "]");
    }

    @Test
    void dropsContentAndEntriesOnceItRefusesThem() throws Exception {
        outgoing.content(block(10, -1));
        outgoing.refuse();

        assertThat(outgoing.content(block(10, -1))).isFalse();
        assertThat(outgoing.entries(new Frame.Entries(List.of()))).isFalse();
        outgoing.answer(new Frame.Bye());
        outgoing.finish();
        assertThat(takeFrames(0)).containsExactly(new Frame.Bye());
        assertThat(outgoing.take(0, batch.clear())).isEqualTo(new Outgoing.Next.End());
    }

    @Test
    void wakesWhoWaitsForRoomWhenItIsAborted() throws Exception {
        Outgoing narrow = new Outgoing(1, 1, 1);
        narrow.content(block(10, -1));
        List<Boolean> taken = new ArrayList<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                taken.add(narrow.content(block(10, -1)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        narrow.abort();
        waiting.join();

        assertThat(taken).containsExactly(false);
        assertThat(narrow.take(0, batch.clear())).isEqualTo(new Outgoing.Next.End());
    }

    private record Written(int bytes) {
        @Override
        public String toString() {
            return "block of " + bytes;
        }
    }

    /// What one write holds: its small frames, and the block by its length.
    private List<Object> takeFrames(int link) throws Exception {
        Outgoing.Next.Write write = (Outgoing.Next.Write) outgoing.take(link, batch.clear());
        List<Object> frames = new ArrayList<>();
        batch.flip();
        while (batch.hasRemaining()) {
            int type = Byte.toUnsignedInt(batch.get());
            byte[] payload = new byte[batch.getInt()];
            batch.get(payload);
            frames.add(FrameCodec.decode(type, payload, 0, payload.length));
        }
        if (write.block() != null) {
            frames.add(new Written(write.block().length()));
        }
        return frames;
    }

    private static Block block(int length, int link) {
        int[] lengths = new int[(length + 8191) / 8192];
        Arrays.fill(lengths, 8192);
        lengths[lengths.length - 1] = length - 8192 * (lengths.length - 1);
        FileEnd end = new FileEnd(Optional.empty(), new RootClaim.Head(0));
        List<Segment> segments = List.of(new Segment(0, 0, ChunkClass.SMALL, 0, lengths, Optional.of(end)));
        byte[] head = FrameCodec.contentHead(segments, false, length, length);
        return new Block(segments, head, new byte[length], length, link);
    }
}
