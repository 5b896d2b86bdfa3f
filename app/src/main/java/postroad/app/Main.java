package postroad.app;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.app.config.Suggestion;

/// The program's entry: finds the verb and hands over.
///
/// Nothing heavy is loaded here, so that `--help` answers at once.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        int status = run(ByteWords.ofProcess(args), console);
        // An answer that nobody could read is no success.
        boolean unread = console.out().checkError();
        System.exit(status == Verb.DONE && unread ? Verb.FAILED : status);
    }

    /// Runs a command line in this process, for tests and for measuring; returns the exit status.
    ///
    /// A verb that runs until it is stopped, such as `up`, ends when the calling thread is interrupted.
    public static int run(
            List<String> args, InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {
        return run(args, new Console(in, out, err, Map.copyOf(environment), false, false));
    }

    static int run(List<String> args, Console console) {
        String first = args.isEmpty() ? "--help" : args.getFirst();
        List<String> rest = args.isEmpty() ? List.of() : args.subList(1, args.size());
        return switch (first) {
            case "--help", "-h" -> print(console, Help.overview());
            case "--version", "-V" -> print(console, "postroad " + postroad.app.config.Version.text() + "\n");
            case "help" ->
                rest.isEmpty() ? print(console, Help.overview()) : verb(rest.getFirst(), List.of("--help"), console);
            default -> verb(first, rest, console);
        };
    }

    private static int verb(String name, List<String> words, Console console) {
        if (name.equals("bench") && !words.contains("--help") && !words.contains("-h")) {
            // The lab reads its own words.
            return postroad.lab.Bench.run(words, console.out(), console.err());
        }
        Optional<Verb> verb = Verbs.find(name);
        if (verb.isEmpty()) {
            String hint = Suggestion.closest(name, Verbs.NAMES)
                    .map(known -> "; did you mean " + known + "?")
                    .orElse("");
            console.err().println("postroad: there is no verb " + name + hint);
            console.err().println("Try: postroad --help");
            return Verb.USAGE;
        }
        return Runner.run(verb.get(), words, console);
    }

    private static int print(Console console, String text) {
        console.out().print(text);
        console.out().flush();
        return console.out().checkError() ? Verb.FAILED : Verb.DONE;
    }
}
