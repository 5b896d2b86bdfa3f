package postroad.app;

import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/// One verb of the command line: what it says of itself, what it takes, and what it does.
interface Verb {
    /// Exit status: everything was done.
    int DONE = 0;
    /// Exit status: it failed, with the reason on standard error.
    int FAILED = 1;
    /// Exit status: the command line makes no sense.
    int USAGE = 2;
    /// Exit status: it was done in part; what was not is told.
    int PARTLY = 3;
    /// Exit status: a signal ended it before it was done.
    int INTERRUPTED = 4;

    /// Its name.
    String name();

    /// Its words as usage shows them: `[FILE…]`.
    String words();

    /// What it does, for `--help`.
    String description();

    /// One or more commands to copy, each with what it does above it.
    String example();

    /// Its options; `--help` is added for all.
    Options options();

    /// Does it; returns the exit status.
    ///
    /// @throws UsageException if the words make no sense
    /// @throws Failure if it cannot be done
    int run(Arguments arguments, Console console) throws Exception;

    /// An option without a value.
    static Option flag(String name, String description) {
        return Option.builder().longOpt(name).desc(description).get();
    }

    /// An option with a value.
    static Option value(String name, String value, String description) {
        return Option.builder()
                .longOpt(name)
                .hasArg()
                .argName(value)
                .desc(description)
                .get();
    }

    /// `--home`, which most verbs take.
    static Option home() {
        return value("home", "DIR", "the node's folder (default: $POSTROAD_HOME, else the platform's data folder)");
    }

    /// `--url`, for verbs that must know what requests to vanish may call the relay.
    static Option url() {
        return value("url", "URL", "a URL by which clients know this relay; may be repeated");
    }

    /// `--config`, for verbs that open the store themselves.
    static Option config() {
        return value("config", "FILE", "configuration file (default: config.toml in the home)");
    }

    /// `--json`.
    static Option json(String description) {
        return flag("json", description);
    }
}
