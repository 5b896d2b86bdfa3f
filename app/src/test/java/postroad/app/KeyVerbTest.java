package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyVerbTest {
    @TempDir
    Path folder;

    private Cli cli;
    private Path file;

    @BeforeEach
    void prepare() {
        cli = new Cli(folder);
        file = folder.resolve("me.key");
    }

    @Test
    void makesAKeyThatOnlyItsOwnerCanRead() throws Exception {
        Cli.Result made = cli.run("key", file.toString());

        assertThat(made.status()).isZero();
        assertThat(made.out()).containsPattern("pubkey [0-9a-f]{64}\nnpub   npub1[a-z0-9]{58}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(made.out() + made.err())
                .doesNotContain(Files.readString(file).strip());
    }

    @Test
    void showsAKeyThatIsThereAndChangesNothing() throws Exception {
        Cli.Result made = cli.run("key", file.toString());
        String content = Files.readString(file);

        Cli.Result shown = cli.run("key", file.toString());

        assertThat(shown.out()).isEqualTo(made.out());
        assertThat(Files.readString(file)).isEqualTo(content);
    }

    @Test
    void readsTheFormOfOtherPrograms() throws Exception {
        Files.writeString(file, "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5\n");

        assertThat(cli.run("key", file.toString()).out())
                .contains("pubkey 7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e");
    }

    @Test
    void warnsOfAKeyThatOthersCanRead() throws Exception {
        cli.run("key", file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(cli.run("key", file.toString()).err()).contains("warning: others can read");
    }

    @Test
    void refusesAFileThatHoldsNoKeyWithoutRepeatingIt() throws Exception {
        Files.writeString(file, "hunter2");

        Cli.Result result = cli.run("key", file.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("not a key file").doesNotContain("hunter2");
    }

    @Test
    void namesTheFolderThatIsMissing() {
        Path missing = folder.resolve("nodir");

        Cli.Result result = cli.run("key", missing.resolve("x").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("there is no folder " + missing);
    }
}
