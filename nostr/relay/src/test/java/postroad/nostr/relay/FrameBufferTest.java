package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.kit.Keys;

@ExtendWith(Leaks.class)
class FrameBufferTest {
    private static final byte[] PREFIX = RelayMessages.eventPrefix("sub");

    private final Deflating deflating = new Deflating();
    private final FrameBuffer frames = new FrameBuffer(PooledByteBufAllocator.DEFAULT, false);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 65_535, 65_536, 3_000_000})
    void writesTheShortestLengthForm(int length) {
        byte[] message = "m".repeat(length).getBytes(UTF_8);
        frames.text(message, deflating);
        frames.text("next".getBytes(UTF_8), deflating);

        ByteBuf bytes = frames.take();

        assertThat(bytes.readableBytes()).isEqualTo(headerLength(length) + length + 2 + 4);
        assertThat(nextText(bytes)).isEqualTo(new String(message, UTF_8));
        assertThat(nextText(bytes)).isEqualTo("next");
        assertThat(bytes.isReadable()).isFalse();
        bytes.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50, 125, 126, 1_000, 65_000, 65_535, 65_536, 1_000_000})
    void writesAnEventFromItsPackedForm(int contentLength) {
        Event event = new Keys(1).signer(0).sign(new EventDraft(1, 1, java.util.List.of(), "c".repeat(contentLength)));
        String expected = "[\"EVENT\",\"sub\"," + event.json() + "]";

        frames.event(PREFIX, event.packed(), 0, event.packedLength(), deflating);
        ByteBuf bytes = frames.take();

        assertThat(nextText(bytes)).isEqualTo(expected);
        bytes.release();
    }

    @Test
    void keepsWhatIsWrittenWhileItGrows() {
        Random random = new Random(1);
        StringBuilder expected = new StringBuilder();
        int count = 2_000;
        for (int i = 0; i < count; i++) {
            String message = i + "x".repeat(random.nextInt(300));
            frames.text(message.getBytes(UTF_8), deflating);
            expected.append(message);
        }

        ByteBuf bytes = frames.take();

        StringBuilder read = new StringBuilder();
        for (int i = 0; i < count; i++) {
            read.append(nextText(bytes));
        }
        assertThat(read.toString()).isEqualTo(expected.toString());
        bytes.release();
    }

    @Test
    void handsOverABufferThatFitsItsContent() {
        frames.text(new byte[60_000], deflating);
        frames.take().release();

        frames.text(new byte[10], deflating);
        ByteBuf small = frames.take();

        assertThat(small.capacity()).isLessThan(200);
        assertThat(frames.isEmpty()).isTrue();
        small.release();
    }

    @Test
    void takesLittleMoreThanTheHeadOfAnEventThatIsShared() {
        byte[] prefix = RelayMessages.eventPrefix("s");
        frames.eventHead(prefix, 3_000);
        ByteBuf head = frames.take();

        assertThat(head.capacity()).isLessThanOrEqualTo(prefix.length + 10);
        head.release();
    }

    @Test
    void cutsALongCloseReasonBetweenCharacters() {
        frames.close(1008, "ü".repeat(100));

        ByteBuf bytes = frames.take();

        assertThat(bytes.readUnsignedByte()).isEqualTo((short) 0x88);
        assertThat(bytes.readUnsignedByte()).isEqualTo((short) (2 + 122));
        assertThat(bytes.readUnsignedShort()).isEqualTo(1008);
        assertThat(bytes.toString(UTF_8)).isEqualTo("ü".repeat(61));
        bytes.release();
    }

    @Test
    void sendsUncompressedWhatWouldNotShrink() {
        FrameBuffer deflated = new FrameBuffer(PooledByteBufAllocator.DEFAULT, true);
        byte[] noise = new byte[5_000];
        Random random = new Random(2);
        for (int i = 0; i < noise.length; i++) {
            noise[i] = (byte) random.nextInt(256);
        }
        deflated.text(noise, deflating);
        deflated.text("z".repeat(FrameBuffer.DEFLATE_FROM - 1).getBytes(UTF_8), deflating);
        deflated.text("z".repeat(FrameBuffer.DEFLATE_FROM).getBytes(UTF_8), deflating);

        ByteBuf bytes = deflated.take();

        assertThat(bytes.getUnsignedByte(0)).as("noise").isEqualTo((short) 0x81);
        bytes.skipBytes(4 + noise.length);
        assertThat(bytes.getUnsignedByte(bytes.readerIndex())).as("short").isEqualTo((short) 0x81);
        bytes.skipBytes(4 + FrameBuffer.DEFLATE_FROM - 1);
        assertThat(bytes.getUnsignedByte(bytes.readerIndex())).as("long").isEqualTo((short) 0xc1);
        bytes.release();
    }

    private static int headerLength(int length) {
        return length < 126 ? 2 : length < 1 << 16 ? 4 : 10;
    }

    private static String nextText(ByteBuf bytes) {
        assertThat(bytes.readUnsignedByte()).isEqualTo((short) 0x81);
        long length = bytes.readUnsignedByte();
        if (length == 126) {
            length = bytes.readUnsignedShort();
            assertThat(length).isGreaterThan(125);
        } else if (length == 127) {
            length = bytes.readLong();
            assertThat(length).isGreaterThan(65_535);
        }
        return bytes.readCharSequence((int) length, UTF_8).toString();
    }
}
