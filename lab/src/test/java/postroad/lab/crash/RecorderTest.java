package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Child;
import postroad.lab.process.Jvm;

/// The recorder and the disk together, judged on a program whose care is known.
final class RecorderTest {
    @TempDir
    private Path folder;

    @Test
    void findsNothingLostWithAProgramThatSyncsFileAndFolder() throws Exception {
        List<Operation> record = record("file,folder");

        assertThat(losses(record)).isEmpty();
    }

    @Test
    void catchesAProgramThatDoesNotSyncItsFile() throws Exception {
        List<Operation> record = record("folder");

        assertThat(losses(record)).isNotEmpty();
    }

    @Test
    void catchesAProgramThatDoesNotSyncItsFolder() throws Exception {
        List<Operation> record = record("file");

        assertThat(losses(record)).isNotEmpty();
    }

    private List<Operation> record(String care) throws IOException, InterruptedException {
        Optional<Recorder> recorder = Recorder.compile(folder);
        assumeTrue(recorder.isPresent(), "no C compiler here: what a program writes cannot be recorded");
        Path marks = folder.resolve("marks");
        ProcessBuilder builder = new ProcessBuilder(Jvm.command(
                List.of("-Xmx64m"),
                RecordedProgram.class.getName(),
                List.of(folder.resolve("data").toString(), marks.toString(), care)));
        recorder.get().preload(builder, folder.resolve("data"), folder.resolve("log"), marks);
        try (Child child = Child.start(builder)) {
            assertThat(child.await(Duration.ofSeconds(60))).as(child.talk()).isZero();
        }
        return OperationLog.read(folder.resolve("log"));
    }

    /// Each moment at which some kind of loss takes an acknowledged number.
    private List<String> losses(List<Operation> record) throws IOException {
        List<String> losses = new ArrayList<>();
        Disk disk = new Disk();
        Random random = new Random(7);
        int acknowledged = 0;
        for (Operation operation : record) {
            for (Loss loss : Loss.values()) {
                disk.layOut(folder.resolve("image"), operation, loss, random);
                int survived = survivor(folder.resolve("image/number"));
                if (survived < acknowledged) {
                    losses.add("acknowledged " + acknowledged + ", found " + survived + " after losing " + loss);
                }
            }
            disk.apply(operation);
            if (operation instanceof Operation.Mark(String text)) {
                acknowledged = Integer.parseInt(text);
            }
        }
        assertThat(acknowledged).isEqualTo(20);
        return losses;
    }

    private static int survivor(Path file) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        String text = Files.readString(file, UTF_8);
        if (text.length() != 2048) {
            return -1;
        }
        int number = Integer.parseInt(text.substring(0, 512).replaceAll("[^0-9]", "0"));
        return new String(RecordedProgram.content(number), UTF_8).equals(text) ? number : -1;
    }
}
