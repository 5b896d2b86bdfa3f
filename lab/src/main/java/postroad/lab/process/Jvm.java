package postroad.lab.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command line of a second JVM like this one: same Java, same class path.
public final class Jvm {
    private static final List<String> ALWAYS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private Jvm() {}

    /// Runs `mainClass` with `arguments`; `options` are for the JVM.
    public static List<String> command(List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ALWAYS);
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
