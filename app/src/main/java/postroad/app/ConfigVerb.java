package postroad.app;

import org.apache.commons.cli.Options;
import postroad.app.config.Config;
import postroad.app.config.ConfigReader;
import postroad.app.config.ConfigText;
import postroad.app.config.Home;

/// `postroad config`: prints a configuration file.
final class ConfigVerb implements Verb {
    @Override
    public String name() {
        return "config";
    }

    @Override
    public String words() {
        return "";
    }

    @Override
    public String description() {
        return """
                Prints a configuration file with every setting, commented, at its default. Save it as config.toml in
                the node's home. With --effective: the settings in force, each with where it comes from, after all
                of them were checked.
                """;
    }

    @Override
    public String example() {
        return """
                postroad config >~/.local/share/postroad/config.toml
                postroad config --effective
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.flag("effective", "print what is in force instead of the defaults"));
    }

    @Override
    public int run(Arguments arguments, Console console) {
        arguments.requireWords(0, 0, "");
        if (!arguments.has("effective")) {
            console.out().print(ConfigText.defaults());
            return DONE;
        }
        Home home = arguments.home(console);
        if (!HomeFolder.isSearchable(home)) {
            console.say("warning: " + HomeFolder.unsearchable(home) + ", so a config.toml in it is left out here");
        }
        Config config = ConfigReader.read(home, arguments.overrides(), console.environment());
        console.out().print(ConfigText.inForce(config));
        config.warnings().forEach(console::say);
        return DONE;
    }
}
