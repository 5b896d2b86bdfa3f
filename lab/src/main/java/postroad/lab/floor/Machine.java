package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a reader has to know of the machine that figures are of.
final class Machine {
    private Machine() {}

    /// Facts by name; `folder` is where the stores lie.
    static Map<String, String> facts(Path folder) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("processor", field(Path.of("/proc/cpuinfo"), "model name"));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", field(Path.of("/proc/meminfo"), "MemTotal"));
        facts.put("file system of the stores", Files.getFileStore(folder).type());
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        return facts;
    }

    /// The load averages of the last 1, 5 and 15 minutes.
    static String load() throws IOException {
        Path file = Path.of("/proc/loadavg");
        return Files.exists(file) ? Files.readString(file, UTF_8).replaceAll("( \\S+ \\S+)\\s*$", "") : "unknown";
    }

    private static String field(Path file, String name) throws IOException {
        if (!Files.exists(file)) {
            return "unknown";
        }
        return Files.readAllLines(file, UTF_8).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }
}
