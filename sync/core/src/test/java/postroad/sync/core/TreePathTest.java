package postroad.sync.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Paths are safe below a root and ordered so that a folder comes right before what is in it.
class TreePathTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''        | is empty",
                "/         | is absolute",
                "/a        | is absolute",
                "a/        | empty component",
                "a//b      | empty component",
                ".         | component . or ..",
                "..        | component . or ..",
                "../a      | component . or ..",
                "a/..      | component . or ..",
                "a/../b    | component . or ..",
                "a/./b     | component . or ..",
            })
    void aFaultIsNamed(String path, String fault) {
        assertThat(TreePath.fault(path.getBytes(ISO_8859_1))).contains(fault);
        assertThatThrownBy(() -> TreePath.of(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(fault);
    }

    @Test
    void aNulIsAFaultWherever() {
        for (String path : List.of("\0", "a\0", "a/\0b", "a/b\0/c")) {
            assertThat(TreePath.fault(path.getBytes(ISO_8859_1))).contains("NUL");
        }
    }

    @Test
    void lengthsHaveLimits() {
        assertThat(TreePath.fault("a".repeat(255).getBytes(ISO_8859_1))).isEmpty();
        assertThat(TreePath.fault(("x/" + "a".repeat(256)).getBytes(ISO_8859_1)))
                .contains("256 bytes");
        String longest = "a/".repeat(16_383) + "aa";
        assertThat(TreePath.of(longest).length()).isEqualTo(TreePath.MAX_LENGTH);
        assertThat(TreePath.fault((longest + "a").getBytes(ISO_8859_1))).contains("more than 32768");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "...", "..a", "a..", ".a", "a/.../b", "-", " ", "\n", "\\", "a\\b", "\u00ff", "a b/c"})
    void strangeNamesAreNames(String path) {
        TreePath of = TreePath.of(path.getBytes(ISO_8859_1));

        assertThat(of.toBytes()).isEqualTo(path.getBytes(ISO_8859_1));
    }

    /// Every byte string of up to five of these bytes: a fault exactly when a slow reading finds one.
    @Test
    void faultsAreThoseOfASlowReading() {
        String alphabet = "a./\0";
        for (int length = 0; length <= 5; length++) {
            for (int number = 0; number < 1 << 2 * length; number++) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < length; i++) {
                    text.append(alphabet.charAt(number >> 2 * i & 3));
                }
                boolean good = !text.isEmpty()
                        && text.indexOf("\0") < 0
                        && Arrays.stream(text.toString().split("/", -1))
                                .noneMatch(each -> each.isEmpty() || each.equals(".") || each.equals(".."));

                assertThat(TreePath.fault(text.toString().getBytes(ISO_8859_1)).isEmpty())
                        .as(text.toString())
                        .isEqualTo(good);
            }
        }
    }

    @Test
    void theOrderIsThatOfTheComponents() {
        Random random = new Random(1);
        for (int round = 0; round < 50_000; round++) {
            TreePath one = random(random);
            TreePath other = random(random);

            assertThat(Integer.signum(one.compareTo(other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(Integer.signum(compareSlowly(one, other)));
            assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
            assertThat(one.equals(other)).isEqualTo(Arrays.equals(one.toBytes(), other.toBytes()));
        }
    }

    @Test
    void aFolderComesRightBeforeWhatIsInIt() {
        List<TreePath> paths = new ArrayList<>();
        for (String each : List.of("a", "a/b", "a/b/c", "a/bc", "a!", "a-b", "a.c", "ab", "b")) {
            paths.add(TreePath.of(each));
        }
        List<TreePath> shuffled = new ArrayList<>(paths);
        Collections.shuffle(shuffled, new Random(2));

        Collections.sort(shuffled);

        assertThat(shuffled).isEqualTo(paths);
    }

    private static int compareSlowly(TreePath one, TreePath other) {
        String[] names = new String(one.toBytes(), ISO_8859_1).split("/", -1);
        String[] others = new String(other.toBytes(), ISO_8859_1).split("/", -1);
        return Arrays.compare(names, others, Comparator.naturalOrder());
    }

    private static TreePath random(Random random) {
        byte[] choice = {'a', 'b', '!', '-', '.', 1, '0', (byte) 0x80, (byte) 0xff};
        StringBuilder path = new StringBuilder();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            path.append(path.isEmpty() ? "" : "/");
            for (int j = 1 + random.nextInt(3); j > 0; j--) {
                path.append((char) (choice[random.nextInt(choice.length)] & 0xff));
            }
            if (path.toString().endsWith(".")) {
                path.append('a'); // never a name of dots only
            }
        }
        return TreePath.of(path.toString().getBytes(ISO_8859_1));
    }

    @Test
    void aPathKnowsItsFolderItsNameAndItsDepth() {
        TreePath path = TreePath.of("a/bc/d");

        assertThat(path.parent()).isEqualTo(TreePath.of("a/bc"));
        assertThat(path.name()).isEqualTo(new byte[] {'d'});
        assertThat(path.depth()).isEqualTo(3);
        assertThat(path.isTop()).isFalse();
        assertThat(path.parent().parent().isTop()).isTrue();
        assertThat(path.parent().child(new byte[] {'d'})).isEqualTo(path).hasSameHashCodeAs(path);
        assertThatThrownBy(() -> TreePath.of("a").parent()).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "a\0"})
    void aChildIsOneName(String name) {
        TreePath folder = TreePath.of("a");

        assertThatThrownBy(() -> folder.child(name.getBytes(ISO_8859_1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void belowIsByComponent() {
        TreePath folder = TreePath.of("a/b");

        assertThat(TreePath.of("a/b/c").isBelow(folder)).isTrue();
        assertThat(TreePath.of("a/b/c/d").isBelow(folder)).isTrue();
        assertThat(TreePath.of("a/b").isBelow(folder)).isFalse();
        assertThat(TreePath.of("a/bc").isBelow(folder)).isFalse();
        assertThat(TreePath.of("a/bc/d").isBelow(folder)).isFalse();
        assertThat(TreePath.of("a").isBelow(folder)).isFalse();
    }

    @Test
    void sharedBytesAreCounted() {
        assertThat(TreePath.of("a/b").sharedPrefix(TreePath.of("a/c"))).isEqualTo(2);
        assertThat(TreePath.of("a/b").sharedPrefix(TreePath.of("a/b"))).isEqualTo(3);
        assertThat(TreePath.of("a/b").sharedPrefix(TreePath.of("a/bc"))).isEqualTo(3);
        assertThat(TreePath.of("a").sharedPrefix(TreePath.of("b"))).isZero();
    }

    @Test
    void aPathIsNotItsArray() {
        byte[] bytes = {'a'};
        TreePath path = TreePath.of(bytes);
        bytes[0] = '/';
        path.toBytes()[0] = '/';

        assertThat(path).isEqualTo(TreePath.of("a"));
    }
}
