package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Of two sides' options the more careful one holds.
class SessionOptionsTest {
    private static final SessionOptions DEFAULT = SessionOptions.DEFAULT;

    @Test
    void namesAreRemovedOnlyWhenBothSay() {
        assertThat(merged(DEFAULT.withDelete(true), DEFAULT).delete()).isFalse();
        assertThat(merged(DEFAULT, DEFAULT.withDelete(true)).delete()).isFalse();
        assertThat(merged(DEFAULT.withDelete(true), DEFAULT.withDelete(true)).delete())
                .isTrue();
    }

    @Test
    void theSmallerLimitHolds() {
        SessionOptions ten = DEFAULT.withMaxDelete(OptionalLong.of(10));
        SessionOptions five = DEFAULT.withMaxDelete(OptionalLong.of(5));

        assertThat(merged(ten, five).maxDelete()).hasValue(5);
        assertThat(merged(ten, DEFAULT).maxDelete()).hasValue(10);
        assertThat(merged(DEFAULT, five).maxDelete()).hasValue(5);
        assertThat(merged(DEFAULT, DEFAULT).maxDelete()).isEmpty();
    }

    @Test
    void dryRunAndChecksumHoldWhenEitherSays() {
        assertThat(merged(DEFAULT.withDryRun(true), DEFAULT).dryRun()).isTrue();
        assertThat(merged(DEFAULT, DEFAULT.withDryRun(true)).dryRun()).isTrue();
        assertThat(merged(DEFAULT.withChecksum(true), DEFAULT).checksum()).isTrue();
        assertThat(merged(DEFAULT, DEFAULT.withChecksum(true)).checksum()).isTrue();
        assertThat(merged(DEFAULT, DEFAULT)).isEqualTo(DEFAULT);
    }

    @Test
    void onlyTheSenderKnowsWhetherItBringsOneFile() {
        assertThat(merged(DEFAULT.withSingle(true), DEFAULT).single()).isTrue();
        assertThat(merged(DEFAULT, DEFAULT.withSingle(true)).single()).isFalse();
    }

    @Test
    void theSmallerNumbersHold() {
        SessionOptions merged = merged(
                DEFAULT.withInFlight(10).withParallel(3),
                DEFAULT.withInFlight(1).withParallel(8));

        assertThat(merged.inFlight()).isEqualTo(1);
        assertThat(merged.parallel()).isEqualTo(3);
        assertThat(merged.lockStep()).isTrue();
        assertThat(DEFAULT.lockStep()).isFalse();
    }

    @Test
    void compressionIsOffWhenEitherWantsNoneAndOnWhenEitherWantsIt() {
        assertThat(Compression.ON.with(Compression.OFF)).isEqualTo(Compression.OFF);
        assertThat(Compression.OFF.with(Compression.AUTO)).isEqualTo(Compression.OFF);
        assertThat(Compression.AUTO.with(Compression.ON)).isEqualTo(Compression.ON);
        assertThat(Compression.AUTO.with(Compression.AUTO)).isEqualTo(Compression.AUTO);
    }

    @Test
    void eachSidesPatternsProtect() {
        SessionOptions merged = merged(
                DEFAULT.withPatterns(patterns("*.o", "!keep.o")), DEFAULT.withPatterns(patterns("keep.o", "!*.o")));

        assertThat(merged.patterns().excludes(TreePath.of("a.o"), Kind.FILE)).isTrue();
        assertThat(merged.patterns().excludes(TreePath.of("keep.o"), Kind.FILE)).isFalse();
        assertThat(merged.patterns().excludes(TreePath.of("a.c"), Kind.FILE)).isFalse();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> DEFAULT.withInFlight(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULT.withParallel(17)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULT.withMaxDelete(OptionalLong.of(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static SessionOptions merged(SessionOptions sender, SessionOptions receiver) {
        return SessionOptions.merged(sender, receiver);
    }

    private static PatternList patterns(String... lines) {
        return PatternList.of(List.of(lines).stream()
                .map(each -> PatternLine.of(each.getBytes(StandardCharsets.UTF_8)))
                .toList());
    }
}
