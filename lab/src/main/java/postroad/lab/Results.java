package postroad.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a bench found: named figures with their units, in the order they were found, and the machine they
/// are of.
public final class Results {
    private static volatile double loadBefore = -1;

    private final String bench;
    private final Map<String, String> figures = new LinkedHashMap<>();

    /// A bench begins: the load of the machine is its own from here on.
    static void begin() {
        loadBefore = load();
    }

    /// Nothing yet.
    public Results(String bench) {
        this.bench = bench;
    }

    /// Adds a figure.
    public void add(String name, String value) {
        figures.put(name, value);
    }

    /// Writes them as a table, and as JSON into `file` where one is named.
    public void report(PrintStream out, Optional<String> file) throws IOException {
        int width = figures.keySet().stream().mapToInt(String::length).max().orElse(0);
        figures.forEach((name, value) -> out.println(name + " ".repeat(width - name.length() + 2) + value));
        out.flush();
        if (file.isPresent()) {
            write(Path.of(file.get()), bench, Map.of("figures", figures));
        }
    }

    /// Writes what a bench found into `file` as JSON, with the machine that it is of.
    public static void write(Path file, String bench, Map<String, ?> data) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("bench", bench);
        document.put("machine", machine());
        document.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        document.put("commit", System.getProperty("postroad.commit", "unknown"));
        document.put("load_before", loadBefore);
        document.put("load_after", load());
        document.putAll(data);
        String json = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
        Files.writeString(file, json + "\n", UTF_8);
    }

    /// How many threads wanted a processor over the last minute; negative where the system does not tell.
    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static String machine() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("java.vm.name") + " " + System.getProperty("java.version");
    }
}
