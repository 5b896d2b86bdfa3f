package postroad.app.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.kit.Corpus;
import postroad.nostr.store.WriteOutcome;
import postroad.nostr.store.WriteResult;

/// That an import ends whatever becomes of the thread that reads.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImporterTest {
    @Test
    void anErrorBeforeASourceIsOpenEndsTheImport() {
        assertThatThrownBy(() -> run(() -> {
                    throw new UnsatisfiedLinkError("no such library");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no such library");
    }

    @Test
    void anErrorInTheMidstOfASourceEndsTheImport() {
        InputStream broken = new InputStream() {
            private boolean read;

            @Override
            public int read() {
                throw new NoClassDefFoundError("no such class");
            }

            @Override
            public int read(byte[] into, int from, int length) {
                if (read) {
                    throw new NoClassDefFoundError("no such class");
                }
                read = true;
                into[from] = '\n';
                return 1;
            }
        };

        assertThatThrownBy(() -> run(() -> Optional.of(new Source("broken", broken))))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("no such class");
    }

    @Test
    void anErrorOfAVerifierEndsTheImport() {
        // Limits that are not there make the verifying threads fail.
        String event = Corpus.traffic(1).take(1).getFirst().json();
        InputStream lines = new ByteArrayInputStream(event.getBytes(UTF_8));
        ArrayDeque<Source> sources = new ArrayDeque<>();
        sources.add(new Source("lines", lines));

        assertThatThrownBy(() -> Importer.run(
                        () -> Optional.ofNullable(sources.poll()),
                        ImporterTest::write,
                        new ImportOptions(true, 0, null, 1 << 20, 1, 10),
                        soFar -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void run(Sources sources) throws Exception {
        Importer.run(sources, ImporterTest::write, ImportOptions.of(true, 0), soFar -> {});
    }

    private static WriteResult write(List<VerifiedEvent> batch) {
        return new WriteResult(Collections.nCopies(batch.size(), new WriteOutcome.Duplicate()), 0);
    }
}
