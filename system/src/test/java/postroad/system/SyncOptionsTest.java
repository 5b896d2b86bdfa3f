package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What options of folder sync promise, seen from outside: what is replaced lies in the backup, a
/// limit holds, what compresses travels as less, and the report says what the connection ran on.
final class SyncOptionsTest {
    private static final Path TCP = Path.of("/proc/sys/net/ipv4");

    @TempDir
    private static Path folder;

    private static SyncSides sides;
    private static SyncSides.Receiver receiver;

    @BeforeAll
    static void serve() throws Exception {
        sides = SyncSides.in(folder);
        receiver = sides.receive(
                "--plaintext", "--delete", "--backup-dir", sides.outside().toString());
    }

    @AfterAll
    static void endWell() throws Exception {
        if (receiver != null) {
            try (SyncSides.Receiver serving = receiver) {
                assertThat(serving.stop()).as(serving.child().talk()).isZero();
            }
        }
    }

    @BeforeEach
    void startAnew() throws Exception {
        SyncSides.empty(sides.source());
        SyncSides.empty(sides.target());
        SyncSides.empty(sides.outside());
    }

    @Test
    void whatIsReplacedOrDeletedLiesInTheBackup() throws Exception {
        SyncSides.shell(sides.target(), """
                mkdir -p in/deep; echo old >in/deep/changed; echo precious >in/deep/gone; ln -s precious in/link
                echo same >same; touch -d @1500000000 in/deep/changed in/deep/gone same; chmod 0640 in/deep/gone
                """);
        source("""
                mkdir -p in/deep; echo new >in/deep/changed; echo same >same; touch -d @1500000000 same
                """);
        List<String> before = SyncSides.state(sides.target());

        SyncSides.Sent sent = sends();

        assertThat(sent.number("deleted")).isEqualTo(2);
        sides.areEqual();
        List<String> backup = SyncSides.state(sides.outside()).stream()
                .filter(line -> !line.contains(" d "))
                .toList();
        assertThat(backup)
                .containsExactlyElementsOf(before.stream()
                        .filter(line -> line.startsWith("./in/deep/changed ")
                                || line.startsWith("./in/deep/gone ")
                                || line.startsWith("./in/link "))
                        .toList());
    }

    /// Random data, which nothing makes less. A slow machine takes longer, never less.
    @Test
    void noMoreThanTheLimitTravelsInASecond() throws Exception {
        source("head -c 3M /dev/urandom >random");

        SyncSides.Sent sent = sends("--bwlimit", "1M");

        assertThat(sent.number("wire_sent_bytes")).isGreaterThan(3 << 20);
        assertThat(sent.seconds()).isGreaterThan(3 * 0.8);
    }

    /// What the middle of a block is like decides: random data is not tried, and neither is text
    /// around it unless that is asked for.
    @Test
    void contentIsCompressedWhereASampleSaysThatItPays() throws Exception {
        source("seq 1 300000 >text");
        SyncSides.Sent text = sends();
        source("{ seq 1000001 1050000; head -c 300000 /dev/urandom; seq 1100001 1140000; } >mixed");
        source("head -c 2000000 /dev/urandom >random");
        SyncSides.Sent random = sends();
        source("{ seq 2000001 2050000; head -c 300000 /dev/urandom; seq 2100001 2140000; } >asked");
        SyncSides.Sent asked = sends("--compress", "on");

        assertThat(text.number("wire_sent_bytes")).isLessThan(text.number("content_bytes") / 2);
        assertThat(random.number("content_bytes")).isEqualTo(3_020_000);
        assertThat(random.number("wire_sent_bytes")).isBetween(3_020_000L, 3_080_000L);
        assertThat(asked.number("wire_sent_bytes")).isLessThan(asked.number("content_bytes") * 2 / 3);
    }

    @Test
    void theReportSaysWhatTheConnectionRanOn() throws Exception {
        source("echo 1 >one");
        String usual = Files.readString(TCP.resolve("tcp_congestion_control")).strip();
        Optional<String> other = Stream.of(Files.readString(TCP.resolve("tcp_allowed_congestion_control"))
                        .strip()
                        .split(" "))
                .filter(name -> !name.equals(usual))
                .findAny();
        assumeTrue(other.isPresent(), "an ordinary user may choose nothing here");

        SyncSides.Sent system = sends("--congestion", "system");
        SyncSides.Sent chosen = sends("--congestion", other.get());

        assertThat(system.json()).contains("\"congestion\":\"" + usual + "\",\"congestion_chosen\":false");
        assertThat(chosen.json()).contains("\"congestion\":\"" + other.get() + "\",\"congestion_chosen\":true");
    }

    private static void source(String script) throws InterruptedException {
        SyncSides.shell(sides.source(), script);
    }

    private static SyncSides.Sent sends(String... options) throws Exception {
        String[] all = new String[options.length + 4];
        all[0] = "--plaintext";
        all[1] = "--delete";
        all[2] = "--retry";
        all[3] = "0";
        System.arraycopy(options, 0, all, 4, options.length);
        return sides.send(receiver, all).hasStatus(0);
    }
}
