package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PinsTest {
    private static final Fingerprint ONE = Fingerprint.parse("01".repeat(32));
    private static final Fingerprint TWO = Fingerprint.parse("02".repeat(32));

    @TempDir
    private Path folder;

    @Test
    void trustsNobodyAtFirst() throws Exception {
        assertThat(new Pins(folder).all()).isEmpty();
        assertThat(new Pins(folder).find(ONE)).isEmpty();
    }

    @Test
    void remembersWhomItTrusts() throws Exception {
        Pins pins = new Pins(folder.resolve("new/state"));

        assertThat(pins.add(ONE, "laptop of Ann")).isTrue();
        assertThat(pins.add(ONE, "laptop of Ann")).isFalse();
        assertThat(pins.add(TWO, "")).isTrue();

        assertThat(new Pins(folder.resolve("new/state")).all())
                .containsExactly(new Pins.Pin(ONE, "laptop of Ann"), new Pins.Pin(TWO, ""));
        assertThat(pins.remove(ONE)).isTrue();
        assertThat(pins.remove(ONE)).isFalse();
        assertThat(pins.find(ONE)).isEmpty();
        assertThat(pins.find(TWO)).isPresent();
    }

    @Test
    void keepsWhatPeopleWrote() throws Exception {
        Path file = folder.resolve("pins");
        String colons = ONE.text().toUpperCase(Locale.ROOT).replaceAll("(..)(?=.)", "$1:");
        Files.writeString(file, "# my peers\n\n  " + colons + "   the attic\n# the end");

        Pins pins = new Pins(folder);
        assertThat(pins.all()).containsExactly(new Pins.Pin(ONE, "the attic"));
        pins.add(TWO, "cellar");
        pins.add(ONE, "roof");

        assertThat(Files.readString(file)).isEqualTo("# my peers\n\n" + ONE + " roof\n# the end\n" + TWO + " cellar\n");
    }

    @Test
    void namesTheLineThatCannotBeRead() throws Exception {
        Files.writeString(folder.resolve("pins"), "# fine\nabc attic\n");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new Pins(folder).all())
                .withMessageContaining("pins, line 2: a fingerprint has 64 hex digits");
    }

    @Test
    void takesNoNameThatWouldBeALineOfItsOwn() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Pins(folder).add(ONE, "a\n" + TWO));
    }

    @Test
    void losesNothingWhenManyAddAtOnce() throws Exception {
        List<FutureTask<Boolean>> adding = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Fingerprint fingerprint =
                    Fingerprint.parse(String.format(Locale.ROOT, "%02x", i + 16).repeat(32));
            adding.add(
                    LinkContract.start(Thread.ofPlatform().factory(), () -> new Pins(folder).add(fingerprint, "peer")));
        }
        for (FutureTask<Boolean> task : adding) {
            assertThat(LinkContract.await(task)).isTrue();
        }

        assertThat(new Pins(folder).all()).hasSize(20);
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder("pins", "pins.lock");
        }
    }
}
