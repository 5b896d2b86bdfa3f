package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.WantedFile;

/// Blocks hold whole files whatever happens to the one after them.
final class BlockBuilderTest {
    @Test
    void keepsTheFileBeforeOneThatIsAbandoned() throws Exception {
        Outgoing outgoing = new Outgoing(1, 1 << 20, 1 << 20);
        try (BlockBuilder builder = new BlockBuilder(outgoing, new BufferPool(Protocol.BUFFER, 4), Optional.empty())) {
            builder.begin(0, 0, ChunkClass.SMALL, 0, WantedFile.ANY_LINK);
            builder.wasRead(5000);
            byte[] hash = builder.chunk(5000);
            builder.end(Optional.empty(), Bytes32.of(hash, 0));
            // The next one cannot even be opened.
            builder.abandon();
            builder.begin(1, 0, ChunkClass.SMALL, 0, WantedFile.ANY_LINK);
            builder.wasRead(100);
            builder.abandon();
            builder.flush();

            assertThat(hash).hasSize(32);
            assertThat(outgoing.take(0, ByteBuffer.allocate(Outgoing.BATCH + FrameCodec.MAX_SMALL)))
                    .isInstanceOfSatisfying(
                            Outgoing.Next.Write.class,
                            write -> assertThat(write.block().length()).isEqualTo(5000));
        }
    }
}
