package postroad.app;

import java.util.Comparator;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/// Writes the help texts.
final class Help {
    private static final int WIDTH = 100;

    private Help() {}

    /// What `postroad --help` prints. Plain text, so that nothing else needs to be loaded.
    static String overview() {
        return """
                postroad: a Nostr relay of your own, and folders that go to other machines.

                Usage: postroad VERB [OPTION…] [WORD…]

                The node
                  up                   start the relay; prints its address
                  import [FILE…]       take events from JSON lines (.gz and .zst too)
                  export               write events as JSON lines
                  backup DIR           copy the store while it is in use
                  info [URL]           figures of this node, or what a relay says of itself
                  config               print a commented configuration file

                Folders
                  receive PATH         take what senders bring; prints a line to paste at the first one
                  send PATH HOST:PORT  bring a folder or file to a receiver
                  identity             who this side is, and whom it trusts
                  trust FP [NAME]      trust a certificate
                  untrust FP           trust it no more

                Any relay
                  req URL FILTER…      print events that match
                  publish URL [FILE…]  send events, or sign and send a note
                  count URL FILTER…    print how many events match
                  key FILE             make a key to sign with, or show whose it is

                More
                  bench …              measurements
                  help VERB            the same as VERB --help
                  --version

                A first folder: on the machine that takes it
                  postroad receive photos
                and on the other the line that this prints.

                A first note:
                  postroad up &
                  postroad key me.key
                  postroad publish ws://127.0.0.1:7447 --key me.key --content "hello"
                  postroad req ws://127.0.0.1:7447 '{"kinds":[1]}'

                Exit status: 0 done, 1 failed, 2 usage, 3 partly done, 4 interrupted.
                """;
    }

    /// What `postroad VERB --help` prints.
    static String of(Verb verb, Options options) {
        StringBuilder out = new StringBuilder("Usage: postroad ")
                .append(verb.name())
                .append(" [OPTION…]")
                .append(verb.words().isEmpty() ? "" : " " + verb.words())
                .append("\n\n")
                .append(verb.description().strip())
                .append("\n\nOptions\n");
        List<Option> all = options.getOptions().stream()
                .sorted(Comparator.comparing(Help::sortKey))
                .toList();
        int column =
                all.stream().mapToInt(option -> heading(option).length()).max().orElse(0) + 4;
        all.forEach(option -> append(option, column, out));
        return out.append("\nExample\n")
                .append(verb.example().strip().indent(2))
                .toString();
    }

    private static String sortKey(Option option) {
        return option.getLongOpt() == null ? option.getOpt() : option.getLongOpt();
    }

    private static String heading(Option option) {
        String letter =
                option.getOpt() == null ? "    " : "-" + option.getOpt() + (option.getLongOpt() == null ? "" : ", ");
        String name = option.getLongOpt() == null ? "" : "--" + option.getLongOpt();
        return letter + name + (option.hasArg() ? " " + option.getArgName() : "");
    }

    private static void append(Option option, int column, StringBuilder out) {
        StringBuilder line = new StringBuilder("  ").append(heading(option));
        while (line.length() < column) {
            line.append(' ');
        }
        for (String word : option.getDescription().split(" ", -1)) {
            if (line.length() + word.length() >= WIDTH) {
                out.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(" ".repeat(column));
            }
            line.append(word).append(' ');
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }
}
