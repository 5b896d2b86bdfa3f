package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Child;
import postroad.wire.PairingToken;

/// Who may bring something, what the others are told, and that none of them ends anything but their own connection.
final class SyncTrustTest {
    private static final String STRANGER = "ab".repeat(32);

    @TempDir
    private Path folder;

    @Test
    void onlyWhoIsPairedOrTrustedGetsInAndTheRestIsToldWhy() throws Exception {
        SyncSides sides = SyncSides.in(folder);
        sides.makeHome("home-other");
        SyncSides.shell(sides.source(), "echo one >one; mkdir two; echo three >two/three");
        try (SyncSides.Receiver receiver = sides.receive()) {
            String word = pairingWord(receiver.child());
            String wrong = PairingToken.issue(PairingToken.parse(word).issuer()).text();

            SyncSides.Sent untrusting = sides.send(receiver).hasStatus(1);
            SyncSides.Sent wrongFingerprint =
                    sides.send(receiver, "--trust", STRANGER).hasStatus(1);
            SyncSides.Sent wrongSecret = sides.send(receiver, "--pair", wrong).hasStatus(1);
            SyncSides.Sent refused = sides.send(receiver, "--trust-first").hasStatus(1);

            assertThat(untrusting.talk()).contains("is not trusted here; its fingerprint is ");
            assertThat(wrongFingerprint.talk()).contains("is not whom --trust names: it has the fingerprint ");
            assertThat(wrongSecret.talk()).contains("the pairing word is not this receiver's");
            assertThat(refused.talk()).contains("you are not trusted there: paste the pairing line");
            assertThat(SyncSides.state(sides.target())).isEmpty();

            sides.send(receiver, "--pair", word).hasStatus(0);
            sides.areEqual();
            SyncSides.shell(sides.source(), "echo more >more");
            sides.send(receiver).hasStatus(0);
            sides.areEqual();

            SyncSides.Sent usedUp = sides.sendFrom(sides.source(), "home-other", receiver, "--pair", word)
                    .hasStatus(1);
            assertThat(usedUp.talk()).contains("was used before");
            assertThat(receiver.child().talk()).contains("turned away").contains("paired with");
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    /// The word is in the line to paste.
    private static String pairingWord(Child child) throws IOException, InterruptedException {
        Await.until("a pairing line", () -> child.talk().contains(" --pair "));
        String talk = child.talk();
        return talk.substring(talk.lastIndexOf(" --pair ") + 8)
                .strip()
                .lines()
                .findFirst()
                .orElseThrow();
    }

    @Test
    void strangersAndASecondSenderLeaveTheFirstInPeace() throws Exception {
        SyncSides sides = SyncSides.in(folder);
        SyncSides.shell(sides.source(), "head -c 6M /dev/urandom >first; echo small >small");
        List<Socket> strangers = new ArrayList<>();
        try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--once")) {
            strangers.addAll(connect(receiver));
            Child first = sides.startSend(receiver, "--trust-first", "--bwlimit", "400K", "--parallel", "2");
            try (first) {
                Await.until("a staged file", () -> hasStaged(sides.target()));
                strangers.addAll(connect(receiver));
                // The same sender twice, by mistake: the first is alive, so it goes on.
                SyncSides.Sent second = sides.send(receiver, "--retry", "0").hasStatus(1);

                assertThat(second.talk()).contains("another session is under way, with ");
                assertThat(first.await(SyncSides.PATIENCE)).as(first.talk()).isZero();
            }
            assertThat(receiver.child().await(SyncSides.PATIENCE))
                    .as(receiver.child().talk())
                    .isZero();
            sides.areEqual();
        } finally {
            for (Socket each : strangers) {
                each.close();
            }
        }
    }

    /// The connection of the first is as good as dead, which its receiver would notice after three minutes.
    @Test
    void aSenderThatBeginsAnewTakesOverFromItsOwnSilentSession() throws Exception {
        SyncSides sides = SyncSides.in(folder);
        SyncSides.shell(sides.source(), "head -c 6M /dev/urandom >first; echo small >small");
        try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--once")) {
            Child first = sides.startSend(receiver, "--trust-first", "--bwlimit", "1M", "--retry", "0");
            try (first) {
                Await.until("a staged file", () -> hasStaged(sides.target()));
                signal("STOP", first);
                SyncSides.Sent second = sides.send(receiver, "--retry", "0").hasStatus(0);
                signal("CONT", first);

                sides.areEqual();
                assertThat(second.number("content_bytes")).isLessThanOrEqualTo((6L << 20) + 6);
                assertThat(first.await(SyncSides.PATIENCE)).as(first.talk()).isEqualTo(1);
            }
            assertThat(receiver.child().await(SyncSides.PATIENCE)).isZero();
            assertThat(receiver.child().talk()).contains("the same peer began anew");
        }
    }

    private static void signal(String name, Child child) throws InterruptedException {
        assertThat(Tool.run("kill", "-" + name, Long.toString(child.pid())).status())
                .isZero();
    }

    @Test
    void aPeerOfAnotherVersionIsToldWhichAreSpokenHere() throws Exception {
        SyncSides sides = SyncSides.in(folder);
        // Versions 2 to 3; whatever follows them is theirs.
        byte[] hello = HexFormat.of().parseHex("010000000b" + "5052535900030002" + "ffffff");
        try (SyncSides.Receiver receiver = sides.receive("--plaintext");
                Socket newer = new Socket(InetAddress.getLoopbackAddress(), receiver.port())) {
            newer.getOutputStream().write(hello);

            byte[] stop = newer.getInputStream().readAllBytes();

            assertThat(stop).startsWith(3, 0, 0, 0, stop.length - 5, 1);
            assertThat(new String(stop, StandardCharsets.UTF_8))
                    .endsWith("the protocol's versions 2 to 3 are spoken there, 1 to 1 here");
            assertThat(receiver.stop()).as(receiver.child().talk()).isZero();
        }
    }

    /// One that says nothing, one that is gone at once, one that speaks another language, one that says rubbish.
    private static List<Socket> connect(SyncSides.Receiver receiver) throws IOException {
        List<Socket> open = new ArrayList<>();
        for (String text :
                List.of("", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000 rubbish")) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), receiver.port());
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            open.add(socket);
        }
        new Socket(InetAddress.getLoopbackAddress(), receiver.port()).close();
        return open;
    }

    private static boolean hasStaged(Path target) throws IOException {
        Path staging = target.resolve(".postroad");
        if (!Files.isDirectory(staging)) {
            return false;
        }
        try (var all = Files.walk(staging)) {
            return all.anyMatch(each -> each.getFileName().toString().startsWith("f"));
        } catch (java.io.UncheckedIOException e) {
            return false;
        }
    }

    @Test
    void aDryRunOfTheReceiverChangesNothing() throws Exception {
        SyncSides sides = SyncSides.in(folder);
        SyncSides.shell(sides.source(), "echo new >new; echo changed >both; mkdir folder; ln -s new link");
        SyncSides.shell(sides.target(), "echo old >both; echo gone >gone");
        List<String> here = SyncSides.state(sides.source());
        List<String> there = SyncSides.state(sides.target());
        try (SyncSides.Receiver receiver = sides.receive("--plaintext", "--dry-run", "--delete", "--once")) {
            SyncSides.Sent sent =
                    sides.send(receiver, "--plaintext", "--delete").hasStatus(0);

            assertThat(sent.number("changed")).isEqualTo(4);
            assertThat(sent.number("deleted")).isEqualTo(1);
            assertThat(receiver.child().await(SyncSides.PATIENCE)).isZero();
        }
        assertThat(SyncSides.state(sides.source())).isEqualTo(here);
        assertThat(SyncSides.state(sides.target())).isEqualTo(there);
    }
}
