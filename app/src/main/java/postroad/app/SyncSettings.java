package postroad.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import postroad.sync.core.Compression;
import postroad.sync.core.PatternLine;
import postroad.sync.core.PatternList;
import postroad.sync.core.SessionOptions;
import postroad.sync.peer.Tuning;
import postroad.wire.Fingerprint;
import postroad.wire.LinkFacts;
import postroad.wire.LinkOptions;
import postroad.wire.PairingToken;

/// What `send` and `receive` both take, read from their words.
///
/// @param session what this side asks of a session
/// @param retry for how long a broken connection is tried again after the last progress
/// @param trusted whom this run trusts besides those that are pinned
/// @param trustFirst whether whoever comes first is pinned when nobody is
/// @param pair the word of a pairing line
/// @param listen where this side listens
/// @param congestion the congestion control that was asked for by name
/// @param homeOption what commands need that are to use the same home, a blank first; empty for the usual one
record SyncSettings(
        SessionOptions session,
        Tuning tuning,
        LinkOptions links,
        Duration retry,
        boolean plaintext,
        boolean quiet,
        boolean json,
        boolean itemize,
        Set<Fingerprint> trusted,
        boolean trustFirst,
        Optional<PairingToken> pair,
        Optional<Endpoint> listen,
        Optional<String> congestion,
        String homeOption) {

    private static final Set<String> PATTERNS = Set.of("exclude", "exclude-from", "include");
    private static final long LARGEST_PATTERN_FILE = 1 << 20;
    private static final long LONGEST_SECONDS = 30L * 86_400;
    /// A side that has nothing to say is heard each second.
    private static final long SHORTEST_TIMEOUT = 2;

    /// The options, for both verbs.
    static Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.value("listen", "ADDR:PORT", "where to listen; port 0 takes a free one"))
                .addOption(Verb.value(
                        "pair", "WORD", "the word of the other side's pairing line; both pin each other by it"))
                .addOption(Verb.value("trust", "FP", "trust this fingerprint for this run; may be repeated"))
                .addOption(Verb.flag("trust-first", "pin whoever comes first, when nobody is pinned yet"))
                .addOption(Verb.flag("plaintext", "no encryption and no identities: for a network you trust wholly"))
                .addOption(Verb.flag("delete", "remove what the sender does not have; only when both sides say so"))
                .addOption(Verb.value("max-delete", "N", "remove nothing at all if more than N names would go"))
                .addOption(Verb.flag("dry-run", "change nothing on either side, only tell what would be done"))
                .addOption(Verb.flag("checksum", "compare content, whatever size and time say"))
                .addOption(
                        Verb.value(
                                "exclude",
                                "PATTERN",
                                "leave these names alone, as a line of gitignore means it; the last pattern that matches counts"))
                .addOption(Verb.value("exclude-from", "FILE", "patterns from a file, one a line"))
                .addOption(Verb.value("include", "PATTERN", "take back what a pattern before it leaves out"))
                .addOption(
                        Verb.value("parallel", "K", "connections, 1 to 16 (default: 4 to send; to receive, the most)"))
                .addOption(Verb.value("in-flight", "N", "files under way at a time; 1 is one after the other"))
                .addOption(Verb.value("bwlimit", "RATE", "the most bytes a second to write, such as 500K or 1.5M"))
                .addOption(Verb.value("compress", "WHEN", "auto, on or off (default: auto)"))
                .addOption(
                        Verb.value("timeout", "S", "a connection silent for so long is dead, 2 or more (default: 180)"))
                .addOption(Verb.value(
                        "retry",
                        "S",
                        "how long a broken connection is tried again after the last progress (default: 60; 0: not)"))
                .addOption(Verb.value(
                        "congestion", "NAME", "congestion control to ask the system for, or system (default: bbr)"))
                .addOption(Verb.flag("quiet", "no progress and no summary, only what went wrong"))
                .addOption(Verb.flag("itemize", "a line for each name that changes"))
                .addOption(Verb.json("print what was done as one JSON object"));
    }

    /// Reads them.
    ///
    /// @param most how many connections when none are named
    static SyncSettings of(Arguments arguments, int most) throws IOException {
        SessionOptions session = SessionOptions.DEFAULT
                .withDelete(arguments.has("delete"))
                .withMaxDelete(arguments
                        .number("max-delete", 0, Long.MAX_VALUE)
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()))
                .withDryRun(arguments.has("dry-run"))
                .withChecksum(arguments.has("checksum"))
                .withCompression(compression(arguments))
                .withInFlight(Math.toIntExact(arguments
                        .number("in-flight", 1, SessionOptions.MAX_IN_FLIGHT)
                        .orElse((long) SessionOptions.DEFAULT.inFlight())))
                .withParallel(Math.toIntExact(arguments
                        .number("parallel", 1, SessionOptions.MAX_PARALLEL)
                        .orElse((long) most)))
                .withPatterns(patterns(arguments));
        SyncSettings settings = new SyncSettings(
                session,
                tuning(arguments),
                links(arguments),
                Duration.ofSeconds(arguments.number("retry", 0, LONGEST_SECONDS).orElse(60L)),
                arguments.has("plaintext"),
                arguments.has("quiet"),
                arguments.has("json"),
                arguments.has("itemize"),
                trusted(arguments),
                arguments.has("trust-first"),
                arguments.value("pair").map(SyncSettings::token),
                arguments.value("listen").map(Endpoint::toListen),
                arguments.value("congestion").filter(name -> !name.equals("system")),
                arguments.value("home").map(SyncSettings::homeOption).orElse(""));
        settings.check();
        return settings;
    }

    /// The same with other wishes for its sessions.
    SyncSettings withSession(SessionOptions other) {
        return new SyncSettings(
                other,
                tuning,
                links,
                retry,
                plaintext,
                quiet,
                json,
                itemize,
                trusted,
                trustFirst,
                pair,
                listen,
                congestion,
                homeOption);
    }

    /// Says it when a connection runs on another congestion control than was asked for by name; the default is a wish.
    Optional<String> otherCongestion(LinkFacts facts) {
        return congestion
                .filter(name ->
                        facts.congestion().isPresent() && !facts.congestion().equals(congestion))
                .map(name -> "the congestion control " + name + " is not there for this user (see"
                        + " /proc/sys/net/ipv4/tcp_allowed_congestion_control); the connection runs on "
                        + facts.congestion().get());
    }

    private static String homeOption(String folder) {
        String shown = ByteWords.shown(folder);
        boolean isPlain = shown.matches("[-\\w./@%+=:,]+");
        return " --home " + (isPlain ? shown : "'" + shown.replace("'", "'\\''") + "'");
    }

    private void check() {
        if (plaintext && (pair.isPresent() || trustFirst || !trusted.isEmpty())) {
            throw new UsageException("without encryption nobody has an identity: --plaintext does not go together with"
                    + " --pair, --trust or --trust-first");
        }
        if (pair.isPresent() && listen.isPresent()) {
            throw new UsageException("the side that listens makes the pairing word; --pair is for the other one");
        }
    }

    private static Compression compression(Arguments arguments) {
        String when = arguments.value("compress").orElse("auto");
        return switch (when) {
            case "auto" -> Compression.AUTO;
            case "on" -> Compression.ON;
            case "off" -> Compression.OFF;
            default -> throw new UsageException("--compress must be auto, on or off, not " + when);
        };
    }

    private static Tuning tuning(Arguments arguments) {
        long rate = arguments
                .value("bwlimit")
                .map(text -> Amounts.parseRate("bwlimit", text))
                .orElse(0L);
        Duration silence = Duration.ofSeconds(arguments
                .number("timeout", SHORTEST_TIMEOUT, LONGEST_SECONDS)
                .orElse(Tuning.DEFAULT.silence().toSeconds()));
        return Tuning.DEFAULT.withBytesPerSecond(rate).withSilence(silence);
    }

    private static LinkOptions links(Arguments arguments) {
        LinkOptions links = LinkOptions.DEFAULT;
        Optional<String> congestion = arguments.value("congestion");
        if (congestion.isPresent()) {
            links = links.withCongestion(congestion.filter(name -> !name.equals("system")));
        }
        Optional<Duration> limit =
                arguments.number("timeout", SHORTEST_TIMEOUT, LONGEST_SECONDS).map(Duration::ofSeconds);
        if (limit.isPresent() && limit.get().compareTo(links.connectTimeout()) < 0) {
            links = links.withConnectTimeout(limit.get()).withHandshakeTimeout(limit.get());
        }
        return links;
    }

    private static Set<Fingerprint> trusted(Arguments arguments) {
        Set<Fingerprint> trusted = new HashSet<>();
        for (String text : arguments.values("trust")) {
            trusted.add(fingerprint(text, "--trust"));
        }
        return trusted;
    }

    /// Reads a fingerprint as people give it.
    static Fingerprint fingerprint(String text, String what) {
        try {
            return Fingerprint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(what + ": " + e.getMessage());
        }
    }

    private static PairingToken token(String word) {
        try {
            return PairingToken.parse(word);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--pair: " + e.getMessage());
        }
    }

    private static PatternList patterns(Arguments arguments) throws IOException {
        List<PatternLine> lines = new ArrayList<>();
        for (Option option : arguments.inOrder(PATTERNS)) {
            String value = option.getValue();
            try {
                switch (option.getLongOpt()) {
                    case "exclude" -> lines.add(PatternLine.of(ByteWords.bytes(value)));
                    case "include" -> lines.add(PatternLine.including(ByteWords.bytes(value)));
                    default -> lines.addAll(PatternLine.ofFile(patternFile(value)));
                }
            } catch (IllegalArgumentException e) {
                throw new UsageException(
                        "--" + option.getLongOpt() + " " + ByteWords.shown(value) + ": " + e.getMessage());
            }
        }
        try {
            return PatternList.of(lines);
        } catch (IllegalArgumentException e) {
            throw new UsageException("too much is left out: " + e.getMessage());
        }
    }

    private static byte[] patternFile(String name) throws IOException {
        Path file = Path.of(name);
        if (Files.size(file) > LARGEST_PATTERN_FILE) {
            throw new IllegalArgumentException("it has more than " + LARGEST_PATTERN_FILE + " bytes");
        }
        return Files.readAllBytes(file);
    }
}
