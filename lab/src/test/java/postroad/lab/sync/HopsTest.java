package postroad.lab.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.sync.core.SessionOptions;
import postroad.wire.Identity;
import postroad.wire.Link;
import postroad.wire.TlsLink;

/// How many one-way trips a session waits for, however many files it has and however many links. TCP would add two
/// before them.
final class HopsTest {
    /// Hello and entries, wants, content, summary, and for the receiver the sender's goodbye.
    private static final int FRESH = 4;
    /// Hello and entries, summary.
    private static final int UNCHANGED = 2;
    /// Hello and entries, wants, recipes, missing chunks, content, summary.
    private static final int EDITED = 6;
    /// A renamed small file comes anew, a large one by its recipe, of which nothing is missing.
    private static final int RENAMED = 4;
    /// TLS 1.3 lets the side that dialed write after a round trip.
    private static final int TLS = 2;

    @TempDir
    Path scratch;

    private Path from;
    private Path to;
    private Identity one;
    private Identity two;

    @BeforeEach
    void prepare() throws IOException {
        from = scratch.resolve("from");
        to = scratch.resolve("to");
        one = Identity.loadOrCreate(scratch.resolve("one"));
        two = Identity.loadOrCreate(scratch.resolve("two"));
    }

    @ParameterizedTest
    @CsvSource({"100, 1, false", "100, 1, true", "100, 4, true", "100, 8, true", "3000, 4, true"})
    void aSessionWaitsForTheDesignedNumberOfTrips(int files, int links, boolean tls) throws Exception {
        TrialTree.tiny(from, 1, files);
        large(from.resolve("large"));
        int handshake = tls ? TLS : 0;

        waitsFor(handshake + FRESH, links, tls);
        waitsFor(handshake + UNCHANGED, links, tls);
        TrialTree.edit(from);
        waitsFor(handshake + EDITED, links, tls);
        TrialTree.rename(from);
        waitsFor(handshake + RENAMED, links, tls);
    }

    private static void large(Path file) throws IOException {
        byte[] content = new byte[300_000];
        new Random(7).nextBytes(content);
        Files.write(file, content);
    }

    private void waitsFor(int hops, int links, boolean tls) throws Exception {
        SessionOptions options = SessionOptions.DEFAULT.withParallel(links).withDelete(true);
        try (Hops wire = new Hops((bare, dialed) -> tls ? overTls(bare, dialed) : bare)) {
            TrialSession.Result result =
                    new TrialSession(options, options.withParallel(16), wire::now).run(from, to, wire);

            assertThat(result.senderEnded() - result.begun()).as("the sender").isEqualTo(hops);
            assertThat(result.receiverEnded() - result.begun())
                    .as("the receiver")
                    .isEqualTo(hops + 1);
            assertThat(TrialTree.describe(to)).isEqualTo(TrialTree.describe(from));
        }
    }

    private Link overTls(Link bare, boolean dialed) throws IOException {
        return dialed ? TlsLink.connect(bare, one) : TlsLink.accept(bare, two);
    }
}
