package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import postroad.sync.core.Entry;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

/// The sender's entries come back as they were added, in whichever order they are asked for.
final class EntryTableTest {
    private static final int PLENTY = 1 << 24;

    private final Random random = new Random(3);

    @Test
    void givesBackWhatWasAdded() {
        EntryTable table = new EntryTable(PLENTY);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 5003; i++) {
            Entry entry = any(String.format("name-%05d-", i) + "x".repeat(i % 200));
            entries.add(entry);
            assertThat(table.add(entry)).isTrue();
            assertThat(table.entry(i)).isEqualTo(entry);
        }

        for (int round = 0; round < 20_000; round++) {
            int id = random.nextInt(entries.size());
            assertThat(table.entry(id)).isEqualTo(entries.get(id));
        }
        assertThat(table.count()).isEqualTo(5003);
        assertThat(table.has(5002)).isTrue();
        assertThat(table.has(5003)).isFalse();
        assertThat(table.has(-1)).isFalse();
    }

    @Test
    void takesTheLongestNamesThereAre() {
        EntryTable table = new EntryTable(PLENTY);
        String deep = "d/".repeat(16_000);
        for (int i = 0; i < 100; i++) {
            assertThat(table.add(any(String.format("%s%04d", deep, i)))).isTrue();
        }

        for (int i = 99; i >= 0; i--) {
            assertThat(table.entry(i).path()).hasToString(String.format("%s%04d", deep, i));
        }
    }

    @Test
    void refusesMoreThanItsBytes() {
        EntryTable table = new EntryTable(1 << 20);
        int added = 0;
        while (table.add(any(String.format("name-%08d", added)))) {
            added++;
        }

        assertThat(added).isBetween(40_000, 100_000);
        assertThat(table.count()).isEqualTo(added);
        assertThat(table.bytes()).isBetween(1L << 20, (1L << 20) + 2000);
    }

    /// Folders of 100 files, like those of a photographer, or of a cache.
    @Test
    void keepsAMillionNamesInAFewBytesEach() {
        EntryTable table = new EntryTable(PLENTY * 2L);
        int names = 1_000_000;
        long paths = 0;
        for (int i = 0; i < names; i++) {
            Entry entry =
                    file(String.format("projects/archive/2026/month-%05d/picture-original-%07d.jpeg", i / 100, i));
            paths += entry.path().length();
            assertThat(table.add(entry)).isTrue();
        }

        assertThat(paths / names).isBetween(60L, 65L);
        assertThat(table.bytes() / names).isLessThan(28);
        assertThat(table.entry(777_777).path().toString()).endsWith("0777777.jpeg");
    }

    private Entry any(String path) {
        return switch (random.nextInt(4)) {
            case 0 -> new Entry(TreePath.of(path), Kind.FOLDER, 0, random.nextInt(), 5, 0755, LinkTarget.NONE);
            case 1 ->
                new Entry(
                        TreePath.of(path),
                        Kind.LINK,
                        0,
                        random.nextInt(),
                        5,
                        0777,
                        LinkTarget.of(Sessions.bytes("t" + path.length())));
            default -> file(path);
        };
    }

    private Entry file(String path) {
        return new Entry(
                TreePath.of(path),
                Kind.FILE,
                random.nextInt(5_000_000),
                1_790_000_000L + random.nextInt(50_000_000),
                random.nextInt(1_000_000_000),
                0644,
                LinkTarget.NONE);
    }
}
