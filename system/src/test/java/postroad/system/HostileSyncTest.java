package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.syncfuzz.Floods;
import postroad.lab.syncfuzz.SyncFuzzer;

/// Folder sync with peers that break rules, in a short form of what the lab does for minutes: every session ends with a
/// word, nothing is harmed, and the next good session works.
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileSyncTest {
    @TempDir
    private Path folder;

    @Test
    void mistreatedSessionsEndInOrder() throws IOException, InterruptedException {
        SyncFuzzer.Report report = new SyncFuzzer(folder).run(5, 4, Duration.ofMinutes(1), 8);

        assertThat(report.sessions()).isEqualTo(8);
        assertThat(report.frames()).isPositive();
    }

    @Test
    void floodsOfNamesEndInOrder() throws IOException, InterruptedException {
        assertThat(Floods.run(folder, 3_000)).hasSize(10);
    }
}
