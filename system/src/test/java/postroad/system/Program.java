package postroad.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import postroad.lab.process.Child;

/// The built program behind its launcher, as a person runs it.
final class Program {
    static final Path ROOT = Path.of(System.getProperty("postroad.root"));

    /// Every jar of the program, where the build that runs these tests has put them.
    static final Path JARS = ROOT.resolve("app/target/lib");

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private Program() {}

    /// The command that takes Postroad's verbs. Nothing is built by it: that has happened, in `./check`.
    static List<String> command() {
        assumeTrue(
                Files.isDirectory(JARS), "the program is not packaged: run the tests with `./check`, or `mvn verify`");
        return List.of(
                "env",
                "POSTROAD_LIB=" + JARS,
                "POSTROAD_JDK=" + System.getProperty("java.home"),
                ROOT.resolve("postroad").toString());
    }

    /// Runs a verb on a home until it ends.
    static Outcome run(Path home, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command());
        line.addAll(List.of(arguments));
        Path out = Files.createTempFile("postroad-out-", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            builder.environment().put("POSTROAD_HOME", home.toString());
            try (Child child = Child.start(builder)) {
                int status = child.await(PATIENCE);
                return new Outcome(status, Files.readAllLines(out), child.talk());
            }
        } finally {
            Files.delete(out);
        }
    }

    /// How a run ended: exit status, the lines of standard output, and standard error.
    record Outcome(int status, List<String> out, String talk) {}
}
