package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a tree on file systems that hold less than it, or more than others. Skipped where they cannot be
/// mounted.
final class SyncFileSystemsTest {
    @TempDir
    private Path folder;

    private SyncSides ext;

    @BeforeEach
    void open() throws Exception {
        ext = SyncSides.in(folder);
    }

    @Test
    void aSecondRunToFatFindsAllUpToDate() throws Exception {
        SyncSides.shell(ext.source(), """
                mkdir -p Dir/sub empty; echo one >Dir/one; echo two >Dir/sub/TWO; head -c 3000000 /dev/urandom >large
                : >nothing; chmod 0600 Dir/one; chmod 0755 large; chmod 0500 Dir/sub
                touch -d @1234567891.987654321 Dir/one Dir/sub; touch -d @1234567890.5 large
                """);
        try (Disk disk = Disk.fat(folder)) {
            SyncSides sides = ext.to(disk.place());
            try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--delete")) {
                SyncSides.Sent first =
                        sides.send(receiver, "--trust-first", "--delete").hasStatus(0);
                SyncSides.Sent second =
                        sides.send(receiver, "--trust-first", "--delete").hasStatus(0);

                assertThat(first.number("changed")).isEqualTo(7);
                assertThat(second.number("changed")).as(second.json()).isZero();
                assertThat(second.number("up_to_date")).isEqualTo(7);
                assertThat(second.number("content_bytes")).isZero();
                haveSameContent(sides);

                SyncSides.shell(ext.source(), """
                        mv Dir dIR; mv dIR/one dIR/ONE; mv large LARGE; echo more >>LARGE; rmdir empty
                        """);
                sides.send(receiver, "--trust-first", "--delete").hasStatus(0);
                haveSameContent(sides);
                assertThat(sides.send(receiver, "--trust-first", "--delete")
                                .hasStatus(0)
                                .number("changed"))
                        .isZero();
                assertThat(receiver.stop()).isZero();
            }
        }
    }

    @Test
    void linksAreToldWhereThereCanBeNone() throws Exception {
        SyncSides.shell(ext.source(), "echo file >file; ln -s file link; mkdir in; ln -s ../file in/link; echo z >z");
        try (Disk disk = Disk.fat(folder)) {
            SyncSides sides = ext.to(disk.place());
            try (SyncSides.Receiver receiver = sides.receive("--trust-first")) {
                SyncSides.Sent sent = sides.send(receiver, "--trust-first").hasStatus(3);

                assertThat(sent.talk())
                        .contains("in/link: the file system holds no links")
                        .contains(" link: the file system holds no links");
                assertThat(sent.number("failed")).isEqualTo(2);
                assertThat(names(disk.place())).containsExactly("file", "in", "z");
                assertThat(receiver.stop()).isZero();
            }
        }
    }

    @Test
    void namesOfAnotherCaseReplaceNothingOnFat() throws Exception {
        try (Disk disk = Disk.fat(folder)) {
            namesOfAnotherCaseReplaceNothing(disk);
        }
    }

    @Test
    void namesOfAnotherCaseReplaceNothingOnCasefold() throws Exception {
        try (Disk disk = Disk.casefold(folder)) {
            namesOfAnotherCaseReplaceNothing(disk);
        }
    }

    private void namesOfAnotherCaseReplaceNothing(Disk disk) throws Exception {
        SyncSides.shell(ext.source(), """
                echo First >Same; echo second >same; mkdir DIR dir; echo First >DIR/in; echo second >dir/in; echo x >.POSTROAD
                """);
        SyncSides sides = ext.to(disk.place());
        try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--delete")) {
            for (int run = 0; run < 2; run++) {
                SyncSides.Sent sent =
                        sides.send(receiver, "--trust-first", "--delete").hasStatus(3);

                assertThat(sent.talk())
                        .contains(" same: only upper and lower case tell it from another name")
                        .contains(" dir: only upper and lower case")
                        .contains(".POSTROAD: the name .postroad is reserved");
                assertThat(names(disk.place())).containsExactly("DIR", "DIR/in", "Same");
                assertThat(Files.readString(disk.place().resolve("Same"))).isEqualTo("First\n");
                assertThat(Files.readString(disk.place().resolve("DIR/in"))).isEqualTo("First\n");
            }
            assertThat(receiver.stop()).isZero();
        }
    }

    /// A second name for the old version's blocks shows that the new one shares them: it would take room of its own.
    @ParameterizedTest
    @ValueSource(strings = {"xfs", "btrfs"})
    void anEditInPlaceSharesTheOldVersionsBlocks(String type) throws Exception {
        SyncSides.shell(ext.source(), "head -c 64M /dev/urandom >large; mkdir sub; echo small >sub/small");
        try (Disk disk = Disk.sharing(folder, type)) {
            Path tree = disk.place().resolve("tree");
            SyncSides.shell(disk.place(), "mkdir tree");
            SyncSides sides = ext.to(tree);
            try (SyncSides.Receiver receiver = sides.receive("--trust-first", "--delete")) {
                sides.send(receiver, "--trust-first", "--delete").hasStatus(0);
                sides.areEqual();
                SyncSides.shell(disk.place(), "cp --reflink=always tree/large old; sync -f .");
                long before = used(disk);

                SyncSides.shell(
                        ext.source(), "printf changed | dd of=large bs=1 seek=30000000 conv=notrunc status=none");
                sides.send(receiver, "--trust-first", "--delete").hasStatus(0);
                sides.areEqual();

                SyncSides.shell(disk.place(), "sync -f .");
                assertThat(used(disk) - before).isLessThan(16L << 20);
                assertThat(receiver.stop()).isZero();
            }
        }
    }

    private static long used(Disk disk) throws Exception {
        String said =
                Tool.run("df", "-B1", "--output=used", disk.place().toString()).said();
        return Long.parseLong(said.replaceAll("[^0-9]", ""));
    }

    private static void haveSameContent(SyncSides sides) throws Exception {
        assertThat(names(sides.target())).containsExactlyElementsOf(names(sides.source()));
        Tool.Outcome compared =
                Tool.run("diff", "-r", sides.source().toString(), sides.target().toString());
        assertThat(compared.status()).as(compared.said()).isZero();
    }

    private static List<String> names(Path tree) throws Exception {
        return Tool.run("find", tree.toString(), "-mindepth", "1", "-printf", "%P\n")
                .said()
                .lines()
                .sorted()
                .toList();
    }
}
