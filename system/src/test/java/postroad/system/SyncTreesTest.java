package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What trees may hold, and what may become of a name from one session to the next: after each, both trees are the same
/// and nothing stray is in them. All sessions go to one `receive`, which deletes what the sender no longer has.
final class SyncTreesTest {
    /// How often the names that differ only in what follows a dot are sent; the forty are its long form.
    private static final int SAME_STEM_SESSIONS = Integer.getInteger("postroad.sync.sessions", 4);

    @TempDir
    private static Path folder;

    private static SyncSides sides;
    private static SyncSides.Receiver receiver;

    @BeforeAll
    static void serve() throws Exception {
        sides = SyncSides.in(folder);
        receiver = sides.receive("--trust-first", "--delete");
    }

    @AfterAll
    static void endWell() throws Exception {
        if (receiver != null) {
            try (SyncSides.Receiver serving = receiver) {
                assertThat(serving.stop()).as(serving.child().talk()).isZero();
            }
        }
    }

    @BeforeEach
    void startAnew() throws Exception {
        SyncSides.empty(sides.source());
        SyncSides.empty(sides.target());
    }

    @Test
    void namesWithTheSameStemDoNotMeetOnEightConnections() throws Exception {
        for (int session = 0; session < SAME_STEM_SESSIONS; session++) {
            SyncSides.empty(sides.source());
            source("""
                    for d in 0 1 2 3 4 5 6 7 8 9; do
                        mkdir d$d
                        for n in a a.c a.h a.c.h .a a. .a.c; do
                            seq 0 $((d * 700)) | sed "s/^/SESSION $d $n /" >d$d/$n
                        done
                    done
                    """.replace("SESSION", Integer.toString(session)));

            syncs("--parallel", "8", "--in-flight", session % 2 == 0 ? "65536" : "8");
        }
    }

    @Test
    void namesAreBytes() throws Exception {
        source("""
                name() { printf '%s' "$2" >"$(printf "$1")"; }
                name 'not-utf8-\\377\\376' one
                name 'latin-\\351t\\351' two
                name 'e-\\303\\251' composed
                name 'e-e\\314\\201' decomposed
                name 'back\\\\slash' three
                name '\\\\' four
                name 'new\\nline' five
                name '\\nfirst' six
                name 'tab\\tbell\\007escape\\033[31m' seven
                name ' ' eight
                name '*' nine
                name '"quoted'"'" ten
                name 'CON' eleven
                name 'trailing. ' twelve
                name '\\355\\240\\200' surrogate
                printf leading >./-rf
                printf leading >./--delete
                printf long >"$(printf '%0255d' 0)"
                printf long >"$(printf '\\351%0254d' 0)"
                mkdir "$(printf 'folder-\\200')" ./-d
                name 'folder-\\200/\\377' inner
                ln -s "$(printf 'target-\\377\\n')x" "$(printf 'link-\\376')"
                touch -d @1000000000.123456789 ./-rf
                """);

        syncs();

        source("""
                rm "$(printf 'not-utf8-\\377\\376')" ./-rf
                printf changed >"$(printf 'new\\nline')"
                mv "$(printf 'folder-\\200')" "$(printf 'folder-\\201')"
                """);

        syncs();
    }

    @Test
    void aNameMayChangeItsCaseOnly() throws Exception {
        source("mkdir Folder; echo in >Folder/File; echo lower >readme; echo Both >Same; echo both >same");
        syncs();

        source("mv Folder folder; mv folder/File folder/FILE; mv readme README");

        syncs();
    }

    @Test
    void aNameMayBecomeSomethingOfAnotherKind() throws Exception {
        source("""
                echo file >file-folder; echo file >file-link
                mkdir folder-file folder-link folder-empty; echo in >folder-file/in; mkdir folder-link/in
                echo deep >folder-link/in/deep
                ln -s nowhere link-file; ln -s folder-file link-folder; ln -s here link-link
                """);
        syncs();

        source("""
                rm -r *
                mkdir file-folder link-folder; echo in >file-folder/in; echo in >link-folder/in
                ln -s folder-file file-link; ln -s / folder-link; ln -s there link-link
                echo file >folder-file; echo file >link-file; echo file >folder-empty
                """);

        syncs();
    }

    @Test
    void namesMayBeSwapped() throws Exception {
        source("""
                head -c 300000 /dev/urandom >a; head -c 200000 /dev/urandom >b; echo small-x >x; echo small-y >y
                mkdir one two; echo one >one/in; head -c 150000 /dev/urandom >two/in; touch -d @1500000000 a b x; touch -d @1500000001 y
                """);
        syncs();

        source("""
                mv a t; mv b a; mv t b; mv x t; mv y x; mv t y; mv one t; mv two one; mv t two
                """);

        syncs();
    }

    @Test
    void contentOfTheSameSizeAndTimeIsFoundWhenAskedFor() throws Exception {
        source("echo small-x >x; echo small-y >y; head -c 150000 /dev/zero >z; touch -d @1500000000 x y z");
        syncs();

        source("mv x t; mv y x; mv t y; printf 1 | dd of=z conv=notrunc status=none; touch -d @1500000000 x y z");

        syncs("--checksum");
    }

    @Test
    void readOnlyFilesAndFoldersAreBroughtOverAndChanged() throws Exception {
        source("""
                mkdir -p kept/deep empty; echo one >kept/file; echo two >kept/deep/file; echo three >gone
                ln -s file kept/link; chmod 0444 kept/file; chmod 0400 kept/deep/file
                chmod 0500 kept/deep empty; chmod 0555 kept
                """);
        syncs();

        source("""
                chmod u+w kept kept/deep; rm kept/deep/file kept/file; echo other >kept/file; echo new >kept/deep/new
                chmod 0400 kept/file; chmod 0000 kept/deep/new; chmod 0600 kept/deep/new
                touch -d @1234567890.5 kept/deep; chmod 0555 kept/deep kept; rmdir empty; rm gone
                """);

        syncs();
    }

    @Test
    void modesAndTimesTravelAlone() throws Exception {
        source("""
                for m in 0600 0640 0644 0666 0700 0755 0777 0711; do echo $m >f$m; chmod $m f$m; mkdir d$m; chmod $m d$m; done
                ln -s f0600 link; touch -h -d @1000000000.000000001 link
                """);
        syncs();

        source(
                "chmod 0600 f0777 ; chmod 0777 f0600; chmod 1777 d0777; touch -d @1000000001.25 f0644 d0755; touch -h -d @7 link");
        SyncSides.Sent sent = syncs();

        assertThat(sent.number("content_bytes")).isZero();
    }

    @Test
    void emptyFilesAndFoldersAndTwoHundredLevels() throws Exception {
        source("""
                : >empty-file; mkdir empty-folder; mkdir nested; mkdir nested/empty; : >nested/empty-file
                i=0; while [ $i -lt 200 ]; do mkdir "level-$i"; cd "level-$i"; : >"file-$i"; i=$((i + 1)); done
                echo bottom >bottom
                """);
        syncs();

        source("""
                find . -name bottom -exec sh -c 'echo changed >"$1"' - {} ';'; rm empty-file; rmdir empty-folder
                """);

        syncs();
    }

    @Test
    void tenThousandSmallFiles() throws Exception {
        int files = Integer.getInteger("postroad.sync.files", 10_000);
        source("""
                i=0; while [ $i -lt FOLDERS ]; do mkdir "d$i"; cd "d$i"; seq 1 100 | split -l 1 -a 3 - f; cd ..; i=$((i + 1)); done
                """.replace("FOLDERS", Integer.toString(files / 100)));

        SyncSides.Sent sent = syncs();
        SyncSides.Sent again = syncs();

        assertThat(sent.number("changed")).isEqualTo(files + files / 100);
        assertThat(again.number("changed")).isZero();
        assertThat(again.number("up_to_date")).isEqualTo(files + files / 100);
    }

    @Test
    void aLargeFileAndItsEdit() throws Exception {
        long megabytes = Long.getLong("postroad.sync.megabytes", 24);
        source("head -c %dM /dev/urandom >large".formatted(megabytes));
        SyncSides.Sent whole = syncs();

        source("printf inserted | cat - large >t && mv t large; head -c 1000 /dev/urandom >>large");
        SyncSides.Sent edited = syncs();

        assertThat(whole.number("content_bytes")).isEqualTo(megabytes << 20);
        assertThat(edited.number("content_bytes")).isLessThan(whole.number("content_bytes") / 4);
    }

    @Test
    void linksOfTheReceiverLeadNothingOutside() throws Exception {
        SyncSides.empty(sides.outside());
        SyncSides.shell(
                sides.outside(),
                "mkdir tree; echo precious >tree/file; echo precious >file; touch -d @1000000000 tree/file tree file");
        List<String> before = SyncSides.state(sides.outside());
        source("mkdir -p dir/sub; echo mine >dir/file; echo mine >dir/sub/file; echo mine >file; mkdir keep");
        SyncSides.shell(sides.target(), """
                ln -s OUTSIDE/tree dir; ln -s OUTSIDE/file file; ln -s OUTSIDE surplus; mkdir keep
                ln -s OUTSIDE/tree keep/surplus; ln -s OUTSIDE/tree/file keep/file
                """.replace("OUTSIDE", sides.outside().toString()));

        syncs();

        assertThat(SyncSides.state(sides.outside())).isEqualTo(before);
    }

    @Test
    void aStagingFolderThatIsALinkIsRefused() throws Exception {
        SyncSides.empty(sides.outside());
        source("echo mine >file");
        SyncSides.shell(sides.target(), "ln -s '%s' .postroad".formatted(sides.outside()));

        SyncSides.Sent sent = sides.send(receiver, "--trust-first").hasStatus(1);

        assertThat(sent.talk()).contains(".postroad: it is no folder, and the name is reserved");
        assertThat(SyncSides.state(sides.outside())).isEmpty();
        assertThat(Files.exists(sides.target().resolve("file"))).isFalse();
    }

    @Test
    void pipesAndSocketsAreSkippedWithAWord() throws Exception {
        source("""
                mkfifo pipe; echo file >file; mkdir in; mkfifo in/pipe
                python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")' 2>/dev/null || :
                """);

        SyncSides.Sent sent = syncs();

        assertThat(sent.talk()).contains("skipped pipe: ").contains("skipped in/pipe: ");
        assertThat(sent.talk().contains("skipped socket: "))
                .isEqualTo(Files.exists(sides.source().resolve("socket")));
    }

    /// A pipe of the receiver's, where the sender has a file, is neither opened nor waited on.
    @Test
    void aPipeInTheWayIsNeverOpened() throws Exception {
        source("echo file >name; echo other >other");
        SyncSides.shell(sides.target(), "mkfifo name");

        SyncSides.Sent sent = sides.send(receiver, "--trust-first", "--delete");

        assertThat(sent.status()).as(sent.talk()).isIn(0, 3);
        assertThat(Files.readString(sides.target().resolve("other"))).isEqualTo("other\n");
        assertThat(Files.isRegularFile(sides.target().resolve("name"))).isEqualTo(sent.status() == 0);
    }

    @Test
    void aDryRunOfTheSenderChangesNothing() throws Exception {
        source("echo new >new; echo changed >both; mkdir folder; ln -s x link; echo 1 >mode; touch -d @5 mode");
        SyncSides.shell(
                sides.target(), "echo old >both; echo gone >gone; echo 1 >mode; touch -d @5 mode; chmod 0600 mode");
        List<String> here = SyncSides.state(sides.source());
        List<String> there = SyncSides.state(sides.target());

        SyncSides.Sent sent =
                sides.send(receiver, "--trust-first", "--delete", "--dry-run").hasStatus(0);

        assertThat(SyncSides.state(sides.source())).isEqualTo(here);
        assertThat(SyncSides.state(sides.target())).isEqualTo(there);
        assertThat(sent.number("changed")).isEqualTo(5);
        assertThat(sent.number("deleted")).isEqualTo(1);
    }

    @Test
    void anEmptyOrMissingSourceDeletesNothing() throws Exception {
        SyncSides.shell(sides.target(), "echo precious >precious; mkdir folder");
        List<String> before = SyncSides.state(sides.target());

        SyncSides.Sent empty = sides.send(receiver, "--trust-first", "--delete").hasStatus(3);
        SyncSides.Sent missing = sides.sendFrom(
                        sides.source().resolve("not-there"), "home-send", receiver, "--trust-first", "--delete")
                .hasStatus(1);

        assertThat(empty.talk()).contains("nothing was deleted: the source is empty");
        assertThat(missing.talk()).contains("not-there");
        assertThat(SyncSides.state(sides.target())).isEqualTo(before);
    }

    @Test
    void unreadableNamesCostThemselvesAndAllDeletions() throws Exception {
        source("""
                echo open >open; echo secret >secret; mkdir locked; echo in >locked/in; echo z >z; mkdir sub; echo t >sub/t
                chmod 0000 secret locked sub/t
                """);
        SyncSides.shell(sides.target(), "echo old >old; echo before >secret");

        SyncSides.Sent sent = sides.send(receiver, "--trust-first", "--delete").hasStatus(3);

        assertThat(sent.talk())
                .contains("secret: ")
                .contains("locked: ")
                .contains("sub/t: ")
                .contains("ermission");
        SyncSides.shell(
                sides.target(),
                "test -e old; test \"$(cat open)\" = open; test \"$(cat z)\" = z; test \"$(cat secret)\" = before;"
                        + " test ! -e .postroad");
        source("chmod 0700 secret locked sub/t");

        syncs();
    }

    /// Modes that a session may well set keep the next one from nothing, and are there again behind it.
    @Test
    void foldersThatTheirOwnerMayNotEnterAreOpenedForTheMoment() throws Exception {
        source("""
                mkdir -p a/in b/in c d/in/deep gone/in e/in
                for f in a/in b b/in c d/in/deep gone/in e/in; do head -c 200000 /dev/urandom >$f/file; done
                echo gone >a/in/gone; echo gone >c/gone
                """);
        syncs();

        source(
                "rm a/in/gone c/gone; rm -r gone; echo new >a/in/new; echo new >b/new; mkdir d/in/new; printf more >>e/in/file");
        SyncSides.shell(sides.target(), """
                chmod 0000 a/in a gone/in gone e/in/file; chmod 0200 c/file; chmod 0300 b; chmod 0400 c; chmod 0100 d/in; chmod 0500 e/in e
                """);
        SyncSides.Sent sent = syncs();

        assertThat(sent.number("content_bytes")).isLessThan(100_000);
    }

    @Test
    void modesOfTheSendersOwnThatLockAFolderLockNobodyOut() throws Exception {
        source("mkdir -p locked/in; echo in >locked/file; echo deep >locked/in/file");
        syncs();
        source("chmod 0000 locked");
        sides.send(receiver, "--trust-first", "--delete").hasStatus(3);
        SyncSides.shell(sides.target(), "test $(stat -c %a locked) = 0");

        source("chmod 0700 locked; rm -r locked/in; echo other >locked/file; chmod 0300 locked");
        SyncSides.Sent unread =
                sides.send(receiver, "--trust-first", "--delete").hasStatus(3);
        source("chmod 0700 locked");

        assertThat(unread.talk()).contains("locked: ").contains("ermission");
        syncs();
    }

    @Test
    void whatIsLockedAndNotTheSendersStaysAsItIs() throws Exception {
        source("echo new >new");
        SyncSides.shell(sides.target(), "mkdir -p mine/in; echo 1 >mine/in/file; chmod 0040 mine/in; chmod 0000 mine");
        List<String> before = SyncSides.state(sides.target().resolve("mine"));

        sides.send(receiver, "--trust-first").hasStatus(0);

        SyncSides.shell(sides.target(), "test $(stat -c %a mine) = 0; test \"$(cat new)\" = new");
        assertThat(SyncSides.state(sides.target().resolve("mine"))).isEqualTo(before);
    }

    @Test
    void aDryRunOpensNothing() throws Exception {
        source("mkdir -p locked open; echo 1 >locked/file; echo new >open/new");
        SyncSides.shell(sides.target(), "mkdir -p locked open; echo 1 >locked/file; chmod 0000 locked");
        List<String> before = SyncSides.state(sides.target());
        String changed = changeTimes();

        SyncSides.Sent sent = sides.send(receiver, "--trust-first", "--delete", "--dry-run", "--itemize")
                .hasStatus(3);

        assertThat(sent.talk())
                .contains("locked: permission denied; what lies in it is not compared in a dry run")
                .contains("open/new")
                .doesNotContain("locked/file");
        assertThat(SyncSides.state(sides.target())).isEqualTo(before);
        assertThat(changeTimes()).isEqualTo(changed);
    }

    private static String changeTimes() throws InterruptedException {
        return Tool.run(List.of("find", sides.target().toString(), "-printf", "%P %m %C@\\n"))
                .said();
    }

    /// Neither a large file's edit nor a comparison by content needs the owner's own right to read it.
    @Test
    void anOldVersionThatItsOwnerMayNotReadIsStillOfUse() throws Exception {
        source(
                "head -c 2000000 /dev/urandom >edited; head -c 2000000 /dev/urandom >same; touch -d @1500000000 edited same");
        syncs();

        source("printf inserted | cat - edited >t && mv t edited");
        SyncSides.shell(sides.target(), "chmod 0000 same; chmod 0200 edited");
        SyncSides.Sent sent = syncs("--checksum");

        assertThat(sent.number("content_bytes")).isLessThan(500_000);
    }

    private static void source(String script) throws InterruptedException {
        SyncSides.shell(sides.source(), script);
    }

    private static SyncSides.Sent syncs(String... options) throws Exception {
        String[] all = new String[options.length + 2];
        all[0] = "--trust-first";
        all[1] = "--delete";
        System.arraycopy(options, 0, all, 2, options.length);
        SyncSides.Sent sent = sides.send(receiver, all).hasStatus(0);
        sides.areEqual();
        return sent;
    }
}
