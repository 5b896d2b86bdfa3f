package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Chunker;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Frame;
import postroad.sync.core.Recipe;
import postroad.sync.core.Role;
import postroad.sync.core.RootClaim;
import postroad.sync.core.SessionOptions;

/// What the receiver counts, and tells, of content that it has already.
final class ReceiverProgressTest {
    private static final int SIZE = 6_000_000;

    @TempDir
    private Path folder;

    private final byte[] content = new byte[SIZE];

    @Test
    void tellsTheSenderThatNothingIsMissing() throws Exception {
        new Random(1).nextBytes(content);
        Files.write(folder.resolve("file"), content);
        // The old content, with its beginning twice.
        Recipe recipe = beginningTwice(content);
        FileEnd end = new FileEnd(
                Optional.of(new FileVersion(recipe.size(), 1, 0, 0644)), new RootClaim.Whole(recipe.root()));

        try (HostilePeer peer = HostilePeer.toReceiver(folder, SessionOptions.DEFAULT)) {
            peer.hello(Role.SENDER)
                    .say(
                            new Frame.Entries(List.of(HostilePeer.file("file", recipe.size()))),
                            new Frame.EntriesEnd(1, true));
            assertThat(peer.readTo(frame -> frame instanceof Frame.Want)).isPresent();
            peer.say(new Frame.RecipePart(0, 0, 0, recipe.shortened(0, recipe.count()), Optional.of(end)));

            assertThat(peer.readTo(frame -> frame instanceof Frame.Missing || frame instanceof Frame.Done))
                    .contains(new Frame.Missing(0, 0, List.of()));
            assertThat(peer.readTo(frame -> frame instanceof Frame.Done)).isPresent();
        }
    }

    @Test
    void countsEachByteOnceOnBothSides() throws Exception {
        Path from = Files.createDirectory(folder.resolve("from"));
        Path to = folder.resolve("to");
        new Random(1).nextBytes(content);
        Files.write(from.resolve("file"), content);
        new Sessions().run(from, to).summary();
        // A chunk that is missing in many places travels once.
        Arrays.fill(content, 1_000_000, 2_500_000, (byte) 0);
        Files.write(from.resolve("file"), content);
        Files.setLastModifiedTime(from.resolve("file"), FileTime.fromMillis(1_000_000));

        Sessions.Result again = new Sessions().run(from, to);

        assertThat(again.summary().reused()).isGreaterThan(SIZE / 2);
        for (Meter meter : List.of(again.sendMeter(), again.receiveMeter())) {
            assertThat(meter.movedBytes()).isEqualTo(SIZE).isEqualTo(meter.wantedBytes());
            assertThat(meter.read().comparing()).isEqualTo(new Meter.Comparing(0, 0, 0));
            assertThat(meter.copyingBytes()).isZero();
        }
    }

    private static Recipe beginningTwice(byte[] data) {
        ChunkClass cutAs = ChunkClass.ofSize(data.length);
        Chunker chunker = new Chunker(cutAs);
        Recipe.Builder recipe = new Recipe.Builder(cutAs);
        int length;
        for (int at = 0; at < data.length; at += length) {
            length = chunker.cut(data, at, data.length);
            for (int times = at == 0 ? 2 : 1; times > 0; times--) {
                recipe.add(length, hash(data, at, length), 0);
            }
        }
        return recipe.build();
    }

    private static byte[] hash(byte[] data, int at, int length) {
        return Sha256.of(Arrays.copyOfRange(data, at, at + length));
    }
}
