package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.PatternLine;
import postroad.sync.core.PatternList;
import postroad.sync.core.Role;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.ShortId;
import postroad.sync.core.ShortRecipe;
import postroad.sync.core.StopCode;

/// A sender that breaks rules, lies, floods or does not read harms nothing.
final class HostileSenderTest {
    @TempDir
    private Path folder;

    private Path target;

    @BeforeEach
    void name() throws IOException {
        target = Files.createDirectory(folder.resolve("target"));
    }

    @Test
    void maySendAFileBeforeItIsWantedAndGiveItUpAfterwards() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
                byte[] data = Sessions.bytes("content " + round);
                List<Entry> entries = new ArrayList<>();
                for (int i = 10; i < 60; i++) {
                    entries.add(HostilePeer.file("round" + round + "-" + i, data.length));
                }
                peer.hello(Role.SENDER).say(new Frame.Entries(entries));
                for (int i = 0; i < entries.size(); i++) {
                    peer.say(HostilePeer.content(i, data));
                    peer.say(new Frame.Failed(i, "", FailureCode.VANISHED, "gone"));
                    peer.say(HostilePeer.content(i, data));
                }
                peer.say(new Frame.EntriesEnd(entries.size(), true));

                // What it never sends again is awaited until it closes.
                assertThat(endWhenAllIsRead(peer)).isNotInstanceOf(SessionEnd.Fault.class);
            }
        }
    }

    private static SessionEnd endWhenAllIsRead(HostilePeer peer) throws Exception {
        peer.raw((byte) 0x04, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        return peer.end();
    }

    @Test
    void getsNoPongsThatItDoesNotRead() throws Exception {
        int pings = 200_000;
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            peer.hello(Role.SENDER);
            for (int i = 0; i < pings; i++) {
                peer.say(new Frame.Ping(i));
            }
            peer.say(new Frame.Bye());
            int[] pongs = new int[1];
            assertThat(peer.readTo(frame -> {
                        pongs[0] += frame instanceof Frame.Pong ? 1 : 0;
                        return frame instanceof Frame.Stop;
                    }))
                    .isPresent();

            assertThat(peer.end()).isInstanceOf(SessionEnd.Stopped.class);
            // What the link and one batch hold.
            assertThat(pongs[0]).isBetween(1, 20_000);
        }
    }

    @Test
    void mayFloodWithWhatIsToBeSkipped() throws Exception {
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            peer.hello(Role.SENDER);
            for (int i = 0; i < 100_000; i++) {
                peer.raw((byte) 0xf0, (byte) 0, (byte) 0, (byte) 0, (byte) 1, (byte) 7);
                peer.say(new Frame.Pong(i));
            }

            assertThat(endWhenAllIsRead(peer))
                    .isEqualTo(new SessionEnd.Stopped(
                            StopCode.PROTOCOL, "the sender broke the protocol: a Bye before the summary"));
        }
    }

    @Test
    void isStoppedWhenARecipeTakesTooMuchMemory() throws Exception {
        Files.write(target.resolve("file"), new byte[1 << 20]);
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            peer.hello(Role.SENDER)
                    .say(new Frame.Entries(List.of(HostilePeer.file("file", 1 << 20))), new Frame.EntriesEnd(1, true));
            assertThat(peer.readTo(frame -> frame instanceof Frame.Want)).isPresent();
            Thread reading = Thread.ofPlatform().daemon().start(() -> peer.readTo(frame -> false));
            int part = 16_000;
            for (int first = 0; first < 40_000_000 && reading.isAlive(); first += part) {
                ShortRecipe.Builder chunks = new ShortRecipe.Builder(ChunkClass.SMALL);
                for (int i = 0; i < part; i++) {
                    chunks.add(ChunkClass.SMALL.min(), new ShortId(first, i));
                }
                peer.say(new Frame.RecipePart(0, 0, first, chunks.build(), Optional.empty()));
            }
            reading.join();

            assertThat(peer.end())
                    .isInstanceOfSatisfying(
                            SessionEnd.Stopped.class,
                            stopped -> assertThat(stopped.code()).isEqualTo(StopCode.LIMIT));
        }
    }

    @Test
    void cannotBeginWithWhatTakesRoom() throws Exception {
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            peer.raw((byte) 0x21, (byte) 0, (byte) 0x40, (byte) 0, (byte) 0);

            assertThat(peer.readTo(frame -> frame instanceof Frame.Stop)).isPresent();
            assertThat(peer.end()).isInstanceOf(SessionEnd.Broken.class);
        }
    }

    @Test
    void mayAnnounceEntriesInWhatIsExcludedHere() throws Exception {
        SessionOptions excluding =
                SessionOptions.DEFAULT.withPatterns(PatternList.of(List.of(PatternLine.of(Sessions.bytes("kept/")))));
        try (HostilePeer peer = HostilePeer.toReceiver(target, excluding)) {
            peer.hello(Role.SENDER)
                    .say(
                            new Frame.Entries(List.of(
                                    HostilePeer.folder("kept"),
                                    HostilePeer.file("kept/file", 7),
                                    HostilePeer.folder("kept/folder"),
                                    HostilePeer.link("kept/folder/link", "/"),
                                    HostilePeer.folder("taken"))),
                            new Frame.EntriesEnd(5, true));
            Optional<Frame> summary = peer.readTo(frame -> frame instanceof Frame.Summary);

            assertThat(endWhenAllIsRead(peer)).isInstanceOf(SessionEnd.Done.class);
            assertThat(((Frame.Summary) summary.orElseThrow()).failed()).isZero();
            assertThat(target.resolve("kept")).doesNotExist();
            assertThat(target.resolve("taken")).isDirectory();
        }
    }

    @Test
    void cannotReachThroughALink() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        try (HostilePeer peer = HostilePeer.toReceiver(target, SessionOptions.DEFAULT)) {
            byte[] data = Sessions.bytes("evil");
            peer.hello(Role.SENDER)
                    .say(
                            new Frame.Entries(List.of(HostilePeer.link("door", outside.toString()))),
                            new Frame.Entries(List.of(HostilePeer.file("door/evil", data.length))),
                            HostilePeer.content(1, data));

            assertThat(peer.end()).isInstanceOf(SessionEnd.Stopped.class);
            assertThat(outside).isEmptyDirectory();
        }
    }
}
