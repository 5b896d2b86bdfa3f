package postroad.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs one of the system's own tools to its end.
final class Tool {
    private Tool() {}

    /// How it ended: its exit status, -1 where there is no such tool, and all that it said.
    record Outcome(int status, String said) {}

    static Outcome run(String... command) throws InterruptedException {
        return run(List.of(command));
    }

    static Outcome run(List<String> command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), said);
        } catch (IOException e) {
            return new Outcome(-1, e.getMessage());
        }
    }
}
