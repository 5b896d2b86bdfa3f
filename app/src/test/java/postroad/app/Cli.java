package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs command lines in this process and keeps what they print.
final class Cli {
    private final Map<String, String> environment = new HashMap<>();

    Cli(Path home) {
        environment.put("POSTROAD_HOME", home.toString());
    }

    Cli with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Result run(String... args) {
        return runWithInput(new byte[0], args);
    }

    Result runWithInput(byte[] input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Main.run(
                Arrays.asList(args),
                new ByteArrayInputStream(input),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                environment);
        return new Result(status, out.toString(UTF_8), err.toString(UTF_8));
    }

    record Result(int status, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }
}
