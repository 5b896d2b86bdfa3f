package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.ProcessFigures;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.Kind;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;
import postroad.sync.core.Window;

/// Neither what a tree holds nor what a peer announces makes a side of folder sync take more
/// memory than it may: [SyncSides] looks at each sender that ran to its end, and at each receiver
/// that is stopped.
final class SyncMemoryTest {
    private static final SessionId SESSION = new SessionId(1, 2);
    /// How many names a sender without end announces in the long form at most; those of folders
    /// then take as little memory as they can. 0 in the short form.
    private static final long ENTRIES = Long.getLong("postroad.sync.entries", 0);

    @TempDir
    private Path folder;

    private SyncSides sides;

    @BeforeEach
    void make() throws Exception {
        sides = SyncSides.in(folder);
    }

    /// Zeros and logs travel as a hundredth of their size, so that very much of them fits into the
    /// window of content at a time.
    @Test
    void severalLargeFilesThatCompressWell() throws Exception {
        SyncSides.shell(sides.source(), """
                truncate -s 80M zeros1 zeros2 zeros3
                for i in 1 2 3; do yes "$i: GET /index.html 200" | head -c 20M >"log$i"; done
                """);
        try (SyncSides.Receiver receiver = sides.receive("--plaintext")) {
            SyncSides.Sent sent =
                    sides.send(receiver, "--plaintext", "--retry", "0").hasStatus(0);

            assertThat(sent.number("wire_sent_bytes")).isLessThan(sent.number("content_bytes") / 100);
            sides.areEqual();
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    /// It says that it is there as often as one likes: a link that takes nothing is dead all the
    /// same.
    @Test
    void aSenderThatDoesNotReadItsAnswersIsLeft() throws Exception {
        SyncSides.shell(sides.source(), "echo honest >honest");
        try (SyncSides.Receiver receiver = sides.receive("--plaintext", "--timeout", "2");
                RawPeer peer = RawPeer.to(receiver.port())) {
            peer.hello(Role.SENDER, SESSION, SessionOptions.DEFAULT);
            // Each gets a failure with its name and the reason, four times as much as the window has room for.
            Announced refused = new Announced(Kind.FILE, ".postroad/");
            assertThat(peer.trySay(new Frame.Entries(List.of(RawPeer.entry(".postroad", Kind.FOLDER)))))
                    .isTrue();
            while (peer.trySay(refused.page())) {
                // Until there is no more credit, of which none is read.
            }
            peer.pingUntilItCloses();

            assertThat(receiver.child().awaitLine("{", SyncSides.PATIENCE))
                    .contains("took nothing of what it was sent for 2 s");
            servesOn(receiver);
        }
    }

    @Test
    void aReceiverThatDoesNotReadContentIsLeft() throws Exception {
        SyncSides.shell(sides.source(), "truncate -s 100M large");
        try (ServerSocket listener = RawPeer.listener()) {
            Thread peer = Thread.ofPlatform().daemon().start(() -> wantAndReadNoMore(listener));
            SyncSides.Sent sent = sides.sendTo(
                            "127.0.0.1:" + listener.getLocalPort(),
                            "--plaintext",
                            "--parallel",
                            "1",
                            "--compress",
                            "off",
                            "--timeout",
                            "2",
                            "--retry",
                            "0")
                    .hasStatus(1);

            assertThat(sent.talk()).contains("took nothing of what it was sent for 2 s");
            peer.join();
        }
    }

    private static void wantAndReadNoMore(ServerSocket listener) {
        try (RawPeer peer = RawPeer.from(listener)) {
            Frame.Hello hello = peer.read(Frame.Hello.class);
            peer.hello(Role.RECEIVER, hello.session(), SessionOptions.DEFAULT);
            peer.read(Frame.EntriesEnd.class);
            peer.say(new Frame.Credit(Window.CONTENT, Window.CONTENT.maximum() - Window.CONTENT.initial()));
            peer.say(new Frame.Want(List.of(new WantedFile(0, false, WantedFile.ANY_LINK))));
            peer.pingUntilItCloses();
        } catch (IOException e) {
            // It was left sooner; the sender says why.
            return;
        }
    }

    /// Folders have to be remembered to the end of a session, also in a dry run, which makes none.
    @Test
    void aSenderWithoutEndOfFoldersIsTurnedAway() throws Exception {
        Announced folders = new Announced(Kind.FOLDER, ENTRIES > 0 ? "" : "f".repeat(200));
        SyncSides.shell(sides.source(), "echo honest >honest");
        try (SyncSides.Receiver receiver = sides.receive("--plaintext");
                RawPeer peer = RawPeer.to(receiver.port())) {
            peer.hello(Role.SENDER, SESSION, SessionOptions.DEFAULT.withDryRun(true));
            peer.listen();
            while (peer.awaitAndSay(folders.page())) {
                folders.tell(receiver);
            }

            Frame.Stop stop = peer.awaitEnd()
                    .orElseThrow(() -> new AssertionError(
                            "no last word: " + receiver.child().talk()));
            folders.told(receiver, stop.text());
            peer.hangUp();
            assertThat(receiver.child().awaitLine("{", SyncSides.PATIENCE)).contains("\"status\":\"stopped\"");
            assertThat(stop.code()).isEqualTo(StopCode.LIMIT);
            assertThat(stop.text()).startsWith("the folders of the tree take more memory than the ");
            servesOn(receiver);
        }
    }

    /// Of files in a dry run, nothing is kept: there may be as many as one likes.
    @Test
    void aSenderWithoutEndOfFilesTakesNoMemory() throws Exception {
        Announced files = new Announced(Kind.FILE, "");
        long many = ENTRIES > 0 ? ENTRIES : 200_000;
        SyncSides.shell(sides.source(), "echo honest >honest");
        try (SyncSides.Receiver receiver = sides.receive("--plaintext");
                RawPeer peer = RawPeer.to(receiver.port())) {
            peer.hello(Role.SENDER, SESSION, SessionOptions.DEFAULT.withDryRun(true));
            peer.listen();
            while (files.count() < many && peer.awaitAndSay(files.page())) {
                files.tell(receiver);
            }
            peer.say(new Frame.EntriesEnd(files.count(), true));

            assertThat(peer.awaitEnd()).isEmpty();
            files.told(receiver, "all of them");
            String report = receiver.child().awaitLine("{", SyncSides.PATIENCE);
            assertThat(report).contains("\"status\":\"done\"", "\"changed\":" + files.count() + ",");
            servesOn(receiver);
        }
    }

    private void servesOn(SyncSides.Receiver receiver) throws Exception {
        sides.send(receiver, "--plaintext", "--retry", "0").hasStatus(0);
        sides.areEqual();
        assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
    }

    /// Names in the order of trees, as many as are asked for.
    private static final class Announced {
        private static final int PAGE = 1000;
        private static final long TELL = 1_000_000;

        private final Kind kind;
        private final String before;
        private final long begun = System.nanoTime();
        private long count;

        Announced(Kind kind, String before) {
            this.kind = kind;
            this.before = before;
        }

        long count() {
            return count;
        }

        Frame.Entries page() {
            List<Entry> page = new ArrayList<>(PAGE);
            for (int i = 0; i < PAGE; i++) {
                page.add(RawPeer.entry(before + (10_000_000_000L + count++), kind));
            }
            return new Frame.Entries(page);
        }

        /// Says where the long form is.
        void tell(SyncSides.Receiver receiver) throws IOException {
            if (count % (10 * TELL) == 0 || count % TELL == 0 && count < 10 * TELL) {
                told(receiver, "so far");
            }
        }

        void told(SyncSides.Receiver receiver, String what) throws IOException {
            System.out.printf(
                    "%,d %s in %.1f s, peak %d MiB: %s%n",
                    count,
                    kind,
                    (System.nanoTime() - begun) / 1e9,
                    ProcessFigures.of(receiver.child().pid()).peakBytes() >> 20,
                    what);
        }
    }
}
