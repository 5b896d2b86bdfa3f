package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrayLogTest {
    private long now = Long.MAX_VALUE - 5;
    private final List<String> said = new ArrayList<>();
    private final StrayLog log = new StrayLog(said::add, () -> now);

    @Test
    void aFloodIsCountedNotListed() {
        for (int i = 0; i < 100_000; i++) {
            log.say("stray " + i);
        }
        assertThat(said).hasSize(StrayLog.BURST).startsWith("stray 0").endsWith("stray " + (StrayLog.BURST - 1));

        said.clear();
        now += StrayLog.NANOS_EACH;
        log.say("late");
        log.say("too soon again");

        assertThat(said).containsExactly("99,980 more connections were turned away meanwhile", "late");
    }

    @Test
    void afterAQuietTimeAllMayBeSaidAgain() {
        for (int i = 0; i < StrayLog.BURST; i++) {
            log.say("first");
        }
        now += 1000 * StrayLog.NANOS_EACH;
        said.clear();
        for (int i = 0; i < StrayLog.BURST + 1; i++) {
            log.say("second");
        }

        assertThat(said).hasSize(StrayLog.BURST).containsOnly("second");
    }
}
