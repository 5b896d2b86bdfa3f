package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Entries and link targets hold only what a tree can hold.
class EntryTest {
    private static final LinkTarget TARGET = LinkTarget.of(new byte[] {'.', '.', '/', 'x'});

    @Test
    void onlyFilesHaveASize() {
        entry(Kind.FILE, Long.MAX_VALUE, 0, 0, LinkTarget.NONE);
        assertRefused(Kind.FILE, -1, 0, 0, LinkTarget.NONE);
        assertRefused(Kind.FOLDER, 1, 0, 0, LinkTarget.NONE);
        assertRefused(Kind.LINK, 1, 0, 0, TARGET);
    }

    @Test
    void onlyLinksHaveATarget() {
        entry(Kind.LINK, 0, 0, 0, TARGET);
        assertRefused(Kind.LINK, 0, 0, 0, LinkTarget.NONE);
        assertRefused(Kind.FILE, 0, 0, 0, TARGET);
        assertRefused(Kind.FOLDER, 0, 0, 0, TARGET);
    }

    @Test
    void timeAndModeAreInRange() {
        entry(Kind.FILE, 0, 999_999_999, 07777, LinkTarget.NONE);
        assertRefused(Kind.FILE, 0, 1_000_000_000, 0, LinkTarget.NONE);
        assertRefused(Kind.FILE, 0, -1, 0, LinkTarget.NONE);
        assertRefused(Kind.FILE, 0, 0, 010000, LinkTarget.NONE);
        assertRefused(Kind.FILE, 0, 0, -1, LinkTarget.NONE);
    }

    @Test
    void aTargetIsAnyBytesButNul() {
        byte[] bytes = {(byte) 0xff, '\n', '/', '.', '.'};
        LinkTarget target = LinkTarget.of(bytes);
        bytes[0] = 0;

        assertThat(target.toBytes()).containsExactly(0xff, '\n', '/', '.', '.');
        assertThat(target).isEqualTo(LinkTarget.of(target.toBytes())).hasSameHashCodeAs(target);
        assertThat(target.length()).isEqualTo(5);
        assertThat(target).hasToString("\\xff\\x0a/..");
        assertThat(LinkTarget.of(new byte[0])).isSameAs(LinkTarget.NONE);
        assertThatThrownBy(() -> LinkTarget.of(new byte[] {'a', 0})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LinkTarget.of(new byte[LinkTarget.MAX_LENGTH + 1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertRefused(Kind kind, long size, int nanos, int mode, LinkTarget target) {
        assertThatThrownBy(() -> entry(kind, size, nanos, mode, target)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Entry entry(Kind kind, long size, int nanos, int mode, LinkTarget target) {
        return new Entry(TreePath.of("a"), kind, size, -1, nanos, mode, target);
    }
}
