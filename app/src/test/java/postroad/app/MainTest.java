package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir
    Path folder;

    private Cli.Result run(String... args) {
        return new Cli(folder).run(args);
    }

    static List<String> verbs() {
        return Verbs.NAMES.stream().filter(name -> !name.equals("help")).toList();
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void everyVerbHasHelpWithAnExample(String verb) {
        Cli.Result help = run(verb, "--help");

        assertThat(help.status()).isZero();
        assertThat(help.err()).isEmpty();
        assertThat(help.out())
                .startsWith("Usage: postroad " + verb)
                .contains("Options\n")
                .containsPattern("Example\n  .*postroad " + verb);
        assertThat(help.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
        assertThat(run("help", verb).out()).isEqualTo(help.out());
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void theOverviewNamesEveryVerb(String verb) {
        assertThat(run("--help").out()).containsPattern("(?m)^  " + verb + "\\b");
    }

    @Test
    void theHelpOfBenchNamesEveryTrialAndOptionOfTheLab() {
        String help = run("bench", "--help").out();
        String usage = run("bench").err();

        assertThat(Pattern.compile("postroad bench ([\\w-]+)|(--\\w+ [A-Z]+)")
                        .matcher(usage)
                        .results()
                        .map(found -> found.group(1) == null ? found.group(2) : "\n  " + found.group(1) + " "))
                .hasSizeGreaterThan(10)
                .allSatisfy(word -> assertThat(help).contains(word));
        assertThat(run("bench", "crash", "--help").out()).isEqualTo(help);
        assertThat(run("bench", "dance").status()).isEqualTo(2);
    }

    @Test
    void noVerbAtAllPrintsTheOverview() {
        assertThat(run()).isEqualTo(run("--help"));
        assertThat(run("help")).isEqualTo(run("--help"));
        assertThat(run().status()).isZero();
    }

    @Test
    void printsItsVersion() {
        assertThat(run("--version").out()).startsWith("postroad ").endsWith("\n");
    }

    @Test
    void refusesAnUnknownVerbAndGuessesWhatWasMeant() {
        Cli.Result result = run("improt", "x");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("there is no verb improt; did you mean import?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--folow", "--fol", "--folow=1"})
    void refusesAnUnknownOptionAndGuessesWhatWasMeant(String option) {
        Cli.Result result = run("req", "ws://127.0.0.1:1", "{}", option);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("there is no option " + option + "; did you mean --follow?");
    }

    @Test
    void saysWhichOptionLacksItsValue() {
        Cli.Result result = run("export", "--since");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("the option --since needs a value: TIME");
    }

    @Test
    void saysWhichWordIsMissingOrTooMany() {
        assertThat(run("backup").err()).contains("the folder DIR is missing");
        assertThat(run("backup", "a", "b").err()).contains("what is b for?");
        assertThat(run("req", "ws://127.0.0.1:1").err()).contains("the FILTER is missing");
        assertThat(run("backup").status()).isEqualTo(2);
    }

    @Test
    void helpLoadsNothingHeavy() throws Exception {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                "postroad.app.Main",
                "--help"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(log))
                .contains("postroad.app.Help")
                .doesNotContain("fasterxml", "io.netty", "org.tomlj", "commons.cli", "luben", "postroad.nostr");
    }
}
