package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// What a long command shows of itself.
class ProgressTest {
    private final AtomicLong clock = new AtomicLong(TimeUnit.HOURS.toNanos(7));
    private final AtomicLong read = new AtomicLong();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void showsHowManyEventsThereWereASecondAndHowLongItWillTake() {
        Progress progress = progress(OptionalLong.of(1_000));
        read.set(250);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(20));

        progress.at(100_000, ", 3 refused");

        assertThat(said.toString(UTF_8)).isEqualTo("import: 100,000 events, 5,000/s, 3 refused, 25 %, 60 s left\n");
    }

    @Test
    void showsTheRateThoughNobodyKnowsHowMuchThereIs() {
        Progress progress = progress(OptionalLong.empty());
        clock.addAndGet(TimeUnit.SECONDS.toNanos(5));

        progress.at(20, "");
        progress.at(21, "");

        assertThat(said.toString(UTF_8)).as("one line in five seconds").isEqualTo("import: 20 events, 4/s\n");
    }

    private Progress progress(OptionalLong total) {
        PrintStream err = new PrintStream(said, true, UTF_8);
        Console console = new Console(InputStream.nullInputStream(), err, err, Map.of(), false, false);
        return new Progress(console, "import", total, read::get, clock::get);
    }
}
