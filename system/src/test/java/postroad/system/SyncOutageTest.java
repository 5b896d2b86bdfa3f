package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Child;

/// A link that breaks in the middle of a session, with real processes at both ends: the run goes
/// on with what has arrived where that is possible, and ends with a word where it is not.
final class SyncOutageTest {
    private static final long MIB = 1 << 20;
    private static final long SOURCE = 24 * MIB;
    private static final long BREAKS_AT = 20 * MIB;
    /// What was written and had not arrived: a block on each connection, what lay before the disk,
    /// a chunk at each edge.
    private static final long LOST = 5 * MIB;
    private static final long PAUSE_NANOS = 1_500_000_000L;

    @TempDir
    private Path folder;

    private SyncSides sides;

    @BeforeEach
    void make() throws Exception {
        sides = SyncSides.in(folder);
        SyncSides.shell(sides.source(), """
                head -c 19M /dev/urandom >large; mkdir -p many/deep; for i in $(seq 4); do head -c 1M /dev/urandom >m$i; done
                for i in $(seq 64); do head -c 16384 /dev/urandom >many/deep/$i; done; ln -s m1 link; chmod 0500 many/deep
                """);
        SyncSides.shell(sides.target(), "echo gone >gone");
    }

    /// It is cut and back at once, then gone until the sender has come twice in vain.
    @Test
    void aLinkThatIsCutIsMadeAgainAndTheSessionGoesOn() throws Exception {
        try (SyncSides.Receiver receiver = sides.receive("--plaintext", "--delete");
                WeakLink link = WeakLink.to(receiver.port()).breakAfter(BREAKS_AT / 2, WeakLink.Fate.CUT);
                Child sender = sides.startSend(
                        receiver.at(link.address()), "--plaintext", "--delete", "--bwlimit", "16M", "--retry", "60")) {
            Await.until("a cut", () -> link.isBroken() || !sender.isAlive());
            link.breakAfter(BREAKS_AT / 2, WeakLink.Fate.GONE);
            Await.until("two attempts in vain", () -> refusals(sender) >= 2 || !sender.isAlive());
            link.comeBack();

            SyncSides.Sent sent = ended(sender).hasStatus(0);

            assertThat(sent.number("attempts")).isGreaterThanOrEqualTo(5);
            sides.areEqual();
            assertThat(sent.number("resent_bytes")).isBetween(0L, 2 * LOST);
            // One copy of each part, what is reported, and each time a block of each connection.
            assertThat(sent.number("wire_sent_bytes"))
                    .isLessThan(SOURCE + sent.number("resent_bytes") + 2 * 4 * MIB + MIB);
            assertThat(sent.number("content_bytes")).isLessThan(SOURCE - BREAKS_AT + 2 * LOST);
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    private static long refusals(Child sender) {
        return sender.talk()
                .lines()
                .filter(line -> line.contains("connection refused") && line.contains("trying again for"))
                .count();
    }

    /// What is on its way is late and nothing else.
    @Test
    void aLinkThatIsSilentForLessThanTheTimeoutBreaksNothing() throws Exception {
        try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--delete");
                WeakLink link = WeakLink.to(receiver.port()).breakAfter(BREAKS_AT, WeakLink.Fate.SILENT);
                Child sender = sides.startSend(receiver.at(link.address()), "--trust-first", "--delete")) {
            Await.until("silence", () -> link.isBroken() || !sender.isAlive());
            // Longer than either side goes without a look at its links; as long as it may be, it changes nothing.
            LockSupport.parkNanos(PAUSE_NANOS);
            link.passAgain();

            SyncSides.Sent sent = ended(sender).hasStatus(0);

            assertThat(sent.number("attempts")).isEqualTo(1);
            assertThat(sent.number("resent_bytes")).isZero();
            assertThat(sent.number("content_bytes")).isEqualTo(SOURCE);
            sides.areEqual();
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    /// The receiver has not noticed that the old connections are dead: it asks them when the same
    /// sender comes anew.
    @Test
    void aLinkThatForgetsItsConnectionsIsMadeAgain() throws Exception {
        assumeTrue(Boolean.getBoolean("postroad.sync.outages"), "a long form: -Dpostroad.sync.outages=true");
        try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--delete");
                WeakLink link = WeakLink.to(receiver.port()).breakAfter(BREAKS_AT, WeakLink.Fate.SILENT);
                Child sender = sides.startSend(
                        receiver.at(link.address()),
                        "--trust-first",
                        "--delete",
                        "--bwlimit",
                        "16M",
                        "--timeout",
                        "2",
                        "--retry",
                        "60")) {
            Await.until("silence", () -> link.isBroken() || !sender.isAlive());
            link.passNewOnes();

            SyncSides.Sent sent = ended(sender).hasStatus(0);

            assertThat(sent.talk()).contains("for 2 s; trying again for ");
            assertThat(receiver.child().talk()).contains("the same peer began anew");
            wentOn(sent);
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    @Test
    void aLinkThatStaysSilentEndsTheSenderAndTheReceiverGoesOn() throws Exception {
        try (SyncSides.Receiver receiver = sides.receive("--plaintext", "--delete", "--timeout", "2");
                WeakLink link = WeakLink.to(receiver.port()).breakAfter(BREAKS_AT, WeakLink.Fate.SILENT)) {
            SyncSides.Sent sent = sides.send(
                            receiver.at(link.address()),
                            "--plaintext",
                            "--delete",
                            "--bwlimit",
                            "16M",
                            "--timeout",
                            "2",
                            "--retry",
                            "1")
                    .hasStatus(1);

            assertThat(link.isBroken()).isTrue();
            assertThat(sent.talk()).contains("for 2 s; trying again for ");
            assertThat(sent.talk().lines().toList().getLast())
                    .startsWith("send: the connection broke: " + link.address() + " ");
            assertThat(sent.json()).contains("\"status\":\"broken\"", "\"error\":\"the connection broke: ");
            Await.until("the receiver's word", () -> receiver.child().talk().contains(" for 2 s"));
            assertThat(SyncSides.state(sides.target())).anyMatch(line -> line.startsWith("./gone "));

            wentOn(sides.send(receiver, "--plaintext", "--delete", "--retry", "0")
                    .hasStatus(0));
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    private static SyncSides.Sent ended(Child sender) throws Exception {
        int status = sender.await(SyncSides.PATIENCE);
        return new SyncSides.Sent(status, sender.awaitLine("{", SyncSides.PATIENCE), sender.talk());
    }

    /// Nothing is missing, nothing stray is there, and the last session brought no more than what
    /// had not arrived.
    private void wentOn(SyncSides.Sent sent) throws Exception {
        sides.areEqual();
        assertThat(sent.number("content_bytes")).isLessThan(SOURCE - BREAKS_AT + LOST);
    }
}
