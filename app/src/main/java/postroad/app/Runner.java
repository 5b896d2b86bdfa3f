package postroad.app;

import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.AmbiguousOptionException;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;
import postroad.app.config.ConfigException;
import postroad.app.config.Suggestion;
import postroad.app.control.ControlException;

/// Parses a verb's words, runs it, and turns whatever goes wrong into one line and an exit status.
final class Runner {
    private Runner() {}

    static int run(Verb verb, List<String> words, Console console) {
        try {
            Options options = verb.options().addOption("h", "help", false, "show this help");
            Arguments arguments = new Arguments(parse(options, words));
            if (arguments.has("help")) {
                console.out().print(Help.of(verb, options));
                return Verb.DONE;
            }
            return verb.run(arguments, console);
        } catch (UsageException e) {
            return usage(verb, console, e.getMessage());
        } catch (ConfigException e) {
            return e.isOnCommandLine() ? usage(verb, console, e.getMessage()) : failed(verb, console, e.getMessage());
        } catch (Failure | ControlException e) {
            return failed(verb, console, e.getMessage());
        } catch (InterruptedException e) {
            return failed(verb, console, "interrupted");
        } catch (Exception | LinkageError e) {
            return failed(verb, console, e);
        }
    }

    private static CommandLine parse(Options options, List<String> words) {
        DefaultParser parser = DefaultParser.builder()
                .setAllowPartialMatching(false)
                .setStripLeadingAndTrailingQuotes(false)
                .get();
        try {
            return parser.parse(options, words.toArray(String[]::new));
        } catch (AmbiguousOptionException e) {
            throw new UsageException("the option " + e.getOption() + " is ambiguous");
        } catch (UnrecognizedOptionException e) {
            throw new UsageException("there is no option " + e.getOption() + suggestion(options, e.getOption()));
        } catch (MissingArgumentException e) {
            Option option = e.getOption();
            throw new UsageException("the option " + spelled(option) + " needs a value: " + option.getArgName());
        } catch (ParseException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static String suggestion(Options options, String given) {
        String bare = given.replaceFirst("^-+", "").replaceFirst("=.*", "");
        List<String> known = options.getOptions().stream()
                .flatMap(option -> Stream.ofNullable(option.getLongOpt()))
                .toList();
        return Suggestion.closest(bare, known)
                .map(name -> "; did you mean --" + name + "?")
                .orElse("");
    }

    static String spelled(Option option) {
        return option.getLongOpt() == null ? "-" + option.getOpt() : "--" + option.getLongOpt();
    }

    private static int usage(Verb verb, Console console, String message) {
        console.say("postroad " + verb.name() + ": " + message);
        console.say("Try: postroad " + verb.name() + " --help");
        return Verb.USAGE;
    }

    private static int failed(Verb verb, Console console, String message) {
        console.say("postroad " + verb.name() + ": " + message);
        return Verb.FAILED;
    }

    /// A failure that carries words for a person, or else a fault of ours, whose trace helps whoever repairs it.
    private static int failed(Verb verb, Console console, Throwable e) {
        if (Failures.isForPeople(e)) {
            return failed(verb, console, Failures.text(e));
        }
        console.say("postroad " + verb.name() + ": a fault of postroad's own; please report it with these lines");
        e.printStackTrace(console.err());
        return Verb.FAILED;
    }
}
