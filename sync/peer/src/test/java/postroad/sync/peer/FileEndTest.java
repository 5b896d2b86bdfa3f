package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Frame;
import postroad.sync.core.Recipe;
import postroad.sync.core.Role;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;

/// What a file's end says, and what the receiver makes of it.
final class FileEndTest {
    private static final byte[] DATA = Sessions.bytes("content");
    private static final Instant THEN = Instant.ofEpochSecond(1_700_000_000L, 123_456_789);

    @TempDir
    private Path folder;

    private Path source;
    private Path target;

    @BeforeEach
    void name() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
    }

    @Test
    void theSenderDoesNotRepeatWhatItAnnounced() throws Exception {
        write("file", DATA);

        FileEnd end = endSentAfter(() -> {});

        assertThat(end.version()).isEmpty();
        assertThat(end.root()).isEqualTo(RootClaim.Head.of(rootOf(DATA)));
    }

    @Test
    void theSenderSaysWhichVersionItReadWhenItIsAnotherThanItAnnounced() throws Exception {
        write("file", DATA);
        byte[] longer = Sessions.bytes("longer content");

        FileEnd end = endSentAfter(() -> write("file", longer, THEN.plusNanos(1)));

        assertThat(end.version()).isPresent();
        assertThat(end.version().get().size()).isEqualTo(longer.length);
        assertThat(end.version().get().nanos()).isEqualTo(123_456_790);
    }

    @Test
    void theEndOfAFileInSeveralBlocksHasItsWholeRoot() throws Exception {
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        write("file", large);

        FileEnd end = endSentAfter(() -> {});

        assertThat(end.version()).isEmpty();
        assertThat(end.root()).isInstanceOf(RootClaim.Whole.class);
    }

    private interface Change {
        void make() throws IOException;
    }

    private FileEnd endSentAfter(Change change) throws Exception {
        try (HostilePeer peer = HostilePeer.toSender(source, SessionOptions.DEFAULT)) {
            peer.hello(Role.RECEIVER);
            assertThat(peer.readTo(frame -> frame instanceof Frame.EntriesEnd)).isPresent();
            change.make();
            peer.say(new Frame.Want(List.of(new WantedFile(0, false, WantedFile.ANY_LINK))));
            Optional<Frame> last = peer.readTo(frame -> frame instanceof Frame.Content content
                    && content.segments().getLast().end().isPresent());
            return ((Frame.Content) last.orElseThrow())
                    .segments()
                    .getLast()
                    .end()
                    .orElseThrow();
        }
    }

    private void write(String name, byte[] content) throws IOException {
        write(name, content, THEN);
    }

    private void write(String name, byte[] content, Instant time) throws IOException {
        Files.write(source.resolve(name), content);
        Files.setLastModifiedTime(source.resolve(name), FileTime.from(time));
    }

    @Test
    void aFileThatIsAsAnnouncedGetsItsEntrysTimeAndMode() throws Exception {
        assertThat(outcomeOf(DATA.length, Optional.empty())).isInstanceOf(Frame.Done.class);

        assertThat(target.resolve("file")).hasBinaryContent(DATA);
        assertThat(Files.getLastModifiedTime(target.resolve("file")).toInstant())
                .isEqualTo(Instant.ofEpochSecond(1));
    }

    @Test
    void aFileOfAnotherVersionGetsThatVersionsTimeAndMode() throws Exception {
        FileVersion version = new FileVersion(DATA.length, 99, 5, 0600);

        assertThat(outcomeOf(1000, Optional.of(version))).isInstanceOf(Frame.Done.class);

        assertThat(target.resolve("file")).hasBinaryContent(DATA);
        assertThat(Files.getLastModifiedTime(target.resolve("file")).toInstant())
                .isEqualTo(Instant.ofEpochSecond(99, 5));
    }

    private Frame outcomeOf(long announced, Optional<FileVersion> version) throws Exception {
        return outcomeOf(announced, new FileEnd(version, RootClaim.Head.of(rootOf(DATA))));
    }

    private Frame outcomeOf(long announced, FileEnd end) throws Exception {
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            send(peer, announced, end);
            return peer.readTo(frame -> frame instanceof Frame.Done || frame instanceof Frame.Failed)
                    .orElseThrow();
        }
    }

    private static void send(HostilePeer peer, long announced, FileEnd end) {
        peer.hello(Role.SENDER)
                .say(new Frame.Entries(List.of(HostilePeer.file("file", announced))), new Frame.EntriesEnd(1, true));
        assertThat(peer.readTo(frame -> frame instanceof Frame.Want)).isPresent();
        Segment segment = new Segment(0, 0, ChunkClass.SMALL, 0, new int[] {DATA.length}, Optional.of(end));
        peer.say(new Frame.Content(List.of(segment), false, DATA.length, DATA, 0, DATA.length));
    }

    @Test
    void aFileWhoseRootDoesNotFitFails() throws Exception {
        assertThat(outcomeOf(DATA.length, HostilePeer.wrongEnd())).isInstanceOf(Frame.Failed.class);

        assertThat(target.resolve("file")).doesNotExist();
    }

    @Test
    void aFileThatEndsElsewhereThanAnnouncedIsNotAsAnnounced() throws Exception {
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            send(peer, 1000, HostilePeer.wrongEnd());

            assertThat(peer.end()).isInstanceOfSatisfying(SessionEnd.Stopped.class, stopped -> {
                assertThat(stopped.code()).isEqualTo(StopCode.PROTOCOL);
                assertThat(stopped.text()).contains("entry 0 has 1000 bytes and its content ends at 7");
            });
        }
    }

    private static Bytes32 rootOf(byte[] data) {
        Recipe.Builder recipe = new Recipe.Builder(ChunkClass.SMALL);
        recipe.add(data.length, Sha256.of(data), 0);
        return recipe.build().root();
    }
}
