package postroad.system;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The independent clients: installed once below `target`, and asked with commands of one line each, as
/// `src/test/interop` describes them.
final class Clients {
    private static final Path SOURCES = Program.ROOT.resolve("system/src/test/interop");
    private static final Path INSTALLED = Program.ROOT.resolve("system/target/interop");
    /// The environment variable that makes a client that is not there a failure: `1` in CI.
    private static final String REQUIRED = "POSTROAD_REQUIRE_CLIENTS";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Clients() {}

    /// Installs `nostr-tools` by npm; the tests are skipped where that cannot be, or Node.js is older than 20; or fail,
    /// see [#REQUIRED].
    static List<String> nostrTools() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(INSTALLED.resolve("node"));
        for (String name : List.of("package.json", "package-lock.json", "client.mjs")) {
            Files.copy(SOURCES.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        install(folder, List.of("node", "--eval", "process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)"));
        if (!Files.isDirectory(folder.resolve("node_modules/nostr-tools"))) {
            install(folder, List.of("npm", "ci", "--no-audit", "--no-fund"));
        }
        return List.of("node", folder.resolve("client.mjs").toString());
    }

    /// Installs `nostr-sdk` by pip into an environment of its own; the tests are skipped where that cannot
    /// be.
    static List<String> nostrSdk() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(INSTALLED.resolve("python"));
        Path python = folder.resolve("bin/python");
        Path done = folder.resolve("installed");
        if (!Files.exists(done)) {
            install(folder, List.of("python3", "-m", "venv", folder.toString()));
            install(
                    folder,
                    List.of(
                            python.toString(),
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                            "-r",
                            SOURCES.resolve("requirements.txt").toString()));
            Files.createFile(done);
        }
        return List.of(python.toString(), SOURCES.resolve("client.py").toString());
    }

    /// Gives a client its commands; returns its answers, one for each.
    static List<JsonNode> ask(List<String> client, String url, List<String> commands)
            throws IOException, InterruptedException {
        Path in = Files.createTempFile("postroad-commands-", ".jsonl");
        Path out = Files.createTempFile("postroad-answers-", ".jsonl");
        Path talk = Files.createTempFile("postroad-talk-", ".txt");
        try {
            Files.write(in, commands);
            List<String> line = new ArrayList<>(client);
            line.add(url);
            int status = run(new ProcessBuilder(line)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(talk.toFile()));
            List<JsonNode> answers = new ArrayList<>();
            for (String answer : Files.readAllLines(out)) {
                answers.add(JSON.readTree(answer));
            }
            if (status != 0 || answers.size() != commands.size()) {
                throw new IOException(client + " ended with status " + status + " after " + answers.size()
                        + " answers: " + Files.readString(talk));
            }
            return answers;
        } finally {
            Files.delete(in);
            Files.delete(out);
            Files.delete(talk);
        }
    }

    private static void install(Path folder, List<String> command) throws InterruptedException {
        File log = folder.resolve("install.log").toFile();
        try {
            int status = run(new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log));
            if (status != 0) {
                leaveOut("an independent client could not be installed: " + command + " failed, see " + log);
            }
        } catch (IOException e) {
            leaveOut("an independent client could not be installed: " + e.getMessage());
        }
    }

    /// Leaves the client's tests out, or fails them where [#REQUIRED] says so.
    private static void leaveOut(String why) {
        if ("1".equals(System.getenv(REQUIRED))) {
            fail(why + " (" + REQUIRED + "=1: none may be left out)");
        }
        abort(why + ", so it is left out");
    }

    private static int run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            return -1;
        }
        return process.exitValue();
    }
}
