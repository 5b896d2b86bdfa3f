package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import postroad.sync.core.TreePath;

final class CaseTwinsTest {
    @Test
    void findsNamesThatDifferInCaseInTheSameFolderOnly() {
        CaseTwins twins = new CaseTwins(true);
        List<String> told =
                List.of("A", "A/in", "A/sub", "A/sub/in", "A/IN", "B", "B/in", "a", "\u00c4", "\u00e4", "\u00e9");

        List<String> found = told.stream()
                .filter(name -> twins.isTwin(TreePath.of(name.getBytes(StandardCharsets.UTF_8))))
                .toList();

        assertThat(found).containsExactly("A/IN", "a", "\u00e4");
    }

    @Test
    void keepsBytesApartThatAreNoText() {
        CaseTwins twins = new CaseTwins(true);

        assertThat(twins.isTwin(TreePath.of(new byte[] {'n', (byte) 0x90}))).isFalse();
        assertThat(twins.isTwin(TreePath.of(new byte[] {'n', (byte) 0x91}))).isFalse();
    }

    @Test
    void findsNoneWhereCaseCounts() {
        CaseTwins twins = new CaseTwins(false);

        assertThat(twins.isTwin(TreePath.of(new byte[] {'A'}))).isFalse();
        assertThat(twins.isTwin(TreePath.of(new byte[] {'a'}))).isFalse();
    }
}
