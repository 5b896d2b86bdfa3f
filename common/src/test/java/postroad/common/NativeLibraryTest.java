package postroad.common;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.common.NativeLibrary.NativeLibraryMissing;

/// What is said of a library that cannot be had.
class NativeLibraryTest {
    private static final String NAME = "postroad-test";
    private static final String PROPERTY = "postroad.lib." + NAME;

    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void tellsWhatWasTriedAndWhatToDo() {
        assertThatThrownBy(
                        () -> NativeLibrary.load(NAME, List.of("/no/resource.so"), List.of("libnobody-has-this.so.7")))
                .isInstanceOf(NativeLibraryMissing.class)
                .hasMessageContaining(NAME)
                .hasMessageContaining(NativeLibrary.platform())
                .hasMessageContaining("-D" + PROPERTY + "=FILE")
                .hasMessageContaining("/no/resource.so is not on the class path")
                .hasMessageContaining("libnobody-has-this.so.7 is not installed");
    }

    @Test
    void tellsWhichNamedFileIsNoLibrary() throws Exception {
        Path text = Files.writeString(folder.resolve("text.so"), "no library");
        for (Path file : List.of(folder.resolve("absent.so"), text)) {
            System.setProperty(PROPERTY, file.toString());

            assertThatThrownBy(() -> NativeLibrary.load(NAME, List.of(), List.of()))
                    .isInstanceOf(NativeLibraryMissing.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("-D" + PROPERTY);
        }
    }
}
