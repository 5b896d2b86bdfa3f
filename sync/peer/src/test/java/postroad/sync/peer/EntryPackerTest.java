package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.Role;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.TreePath;

/// Pages of entries are compressed where that pays, and what claims to be one costs no more than it may.
final class EntryPackerTest {
    private final EntryPacker packer = new EntryPacker();
    private final Random random = new Random(5);

    @TempDir
    private Path target;

    @AfterEach
    void close() {
        packer.close();
    }

    @Test
    void aPageOfTinyFilesTakesNineBytesAnEntry() {
        Frame.Entries page = page(1000);

        Frame.PackedEntries packed = (Frame.PackedEntries) packer.pack(page);

        assertThat(FrameCodec.encode(page).length).isGreaterThan(19_000);
        assertThat(FrameCodec.encode(packed).length).isLessThan(9000);
        assertThat(packer.unpack(packed)).isEqualTo(page);
    }

    @Test
    void anyPageComesBackAsItWas() {
        for (int round = 0; round < 200; round++) {
            Frame.Entries page = page(random.nextInt(700));
            Frame sent = packer.pack(page);
            byte[] bytes = FrameCodec.encode(sent);

            assertThat(bytes.length).isLessThanOrEqualTo(FrameCodec.encode(page).length);
            Frame came = FrameCodec.decode(bytes[0], bytes, FrameCodec.HEADER, bytes.length);
            assertThat(came instanceof Frame.PackedEntries packed ? packer.unpack(packed) : came)
                    .isEqualTo(page);
        }
    }

    @Test
    void aSmallPageGoesAsItIs() {
        Frame.Entries page = page(100);

        assertThat(packer.pack(page)).isSameAs(page);
    }

    @Test
    void aPageThatDoesNotShrinkGoesAsItIs() {
        byte[] noise = new byte[250];
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 255; i++) {
            random.nextBytes(noise);
            noise[0] = (byte) (i + 1);
            for (int at = 1; at < noise.length; at++) {
                noise[at] = noise[at] == 0 || noise[at] == '/' ? 1 : noise[at];
            }
            if (i + 1 != '/') {
                entries.add(new Entry(
                        TreePath.of(noise.clone()),
                        Kind.FILE,
                        random.nextLong() >>> 1,
                        random.nextLong(),
                        random.nextInt(1_000_000_000),
                        random.nextInt(010000),
                        LinkTarget.NONE));
            }
        }
        Frame.Entries page = new Frame.Entries(entries);

        Frame sent = packer.pack(page);

        assertThat(FrameCodec.encode(sent).length).isLessThanOrEqualTo(FrameCodec.encode(page).length);
    }

    @Test
    void aBombTakesNoMoreRoomThanItSays() {
        byte[] bomb = bomb();
        Frame.PackedEntries page = new Frame.PackedEntries(1, 200_000, bomb);
        assertThatThrownBy(() -> packer.unpack(page)).isInstanceOf(ProtocolException.class);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThatThrownBy(() -> packer.unpack(page)).hasMessageContaining("do not decompress to the 200000 bytes");

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    @Test
    void whatIsNoPageIsRefused() {
        Frame.PackedEntries page = (Frame.PackedEntries) packer.pack(page(1000));

        assertRefused(page.count(), page.rawLength() + 1, page.data(), "do not decompress to");
        assertRefused(page.count(), page.rawLength() - 1, page.data(), "do not decompress to");
        assertRefused(
                page.count(),
                page.rawLength(),
                Arrays.copyOf(page.data(), page.data().length + 1),
                "do not decompress to");
        assertRefused(page.count() - 1, page.rawLength(), page.data(), "bytes too many");
        assertRefused(page.count() + 1, page.rawLength(), page.data(), "ends too early");
        assertRefused(1, 20_000, deflated(20_000), "a path is empty");
        assertRefused(1, 20_000, new byte[] {7}, "cannot be decompressed");
        for (int length = 1; length < page.data().length; length += 97) {
            byte[] cut = Arrays.copyOf(page.data(), length);
            assertThatThrownBy(() -> packer.unpack(new Frame.PackedEntries(page.count(), page.rawLength(), cut)))
                    .isInstanceOf(ProtocolException.class);
        }
        assertThat(packer.unpack(page).entries()).hasSize(1000);
    }

    private void assertRefused(int count, int rawLength, byte[] data, String words) {
        assertThatThrownBy(() -> packer.unpack(new Frame.PackedEntries(count, rawLength, data)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aDamagedPageIsAPageOrRefused() {
        Frame.PackedEntries page = (Frame.PackedEntries) packer.pack(page(1000));
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            byte[] damaged = page.data().clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                packer.unpack(new Frame.PackedEntries(page.count(), page.rawLength(), damaged));
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(100, 2000);
    }

    @Test
    void aSenderOfABombIsStopped() throws Exception {
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            peer.hello(Role.SENDER).say(new Frame.PackedEntries(1, 200_000, bomb()));

            assertThat(peer.end()).isInstanceOfSatisfying(SessionEnd.Stopped.class, stopped -> {
                assertThat(stopped.code()).isEqualTo(StopCode.PROTOCOL);
                assertThat(stopped.text()).contains("entries do not decompress to the 200000 bytes that they said");
            });
        }
    }

    /// 100 MB of zeros in 100 kB.
    private static byte[] bomb() {
        return deflated(100_000_000);
    }

    private static byte[] deflated(int zeros) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(new byte[zeros]);
            deflater.finish();
            byte[] bytes = new byte[zeros / 500 + 100];
            return Arrays.copyOf(bytes, deflater.deflate(bytes));
        }
    }

    private Frame.Entries page(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(
                    TreePath.of(String.format("file-%05d.txt", i)),
                    Kind.FILE,
                    1 + random.nextInt(40),
                    1_790_000_000L + i / 500,
                    random.nextInt(1_000_000_000),
                    0644,
                    LinkTarget.NONE));
        }
        return new Frame.Entries(entries);
    }
}
