package postroad.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.relay.AuthMode;
import postroad.nostr.relay.Limits;
import postroad.nostr.relay.RelayConfig;
import postroad.nostr.relay.Timeouts;
import postroad.nostr.store.StoreOptions;

class ConfigReaderTest {
    @TempDir
    Path folder;

    private Home home;
    private Path file;

    @BeforeEach
    void prepare() {
        home = new Home(folder);
        file = home.configFile();
    }

    private Config read() {
        return ConfigReader.read(home, Overrides.NONE, Map.of());
    }

    private Config read(String toml) throws Exception {
        Files.writeString(file, toml);
        return read();
    }

    private String failure(String toml) throws Exception {
        Files.writeString(file, toml);
        return catchThrowableOfType(ConfigException.class, this::read).getMessage();
    }

    @Test
    void aFileThatIsNotUtf8IsSaidToBe() throws Exception {
        Files.write(file, new byte[] {'a', (byte) 0xff, (byte) 0xfe});

        assertThat(catchThrowableOfType(ConfigException.class, this::read)).hasMessage(file + ": it is not UTF-8 text");
    }

    @Test
    void withoutAFileEverythingIsAsTheModulesSay() {
        Config config = read();

        assertThat(config.relay().limits()).isEqualTo(Limits.DEFAULT);
        assertThat(config.relay().timeouts()).isEqualTo(Timeouts.DEFAULT);
        assertThat(config.relay().auth()).isEqualTo(AuthMode.OPTIONAL);
        assertThat(config.relay().privateKinds()).isEqualTo(RelayConfig.DEFAULT_PRIVATE_KINDS);
        assertThat(config.relay().listen().toString()).isEqualTo("/127.0.0.1:7447");
        assertThat(config.mapBytes()).isEqualTo(StoreOptions.DEFAULT_MAP_BYTES);
        assertThat(config.reserveBytes()).isEqualTo(StoreOptions.DEFAULT_RESERVE_BYTES);
    }

    @Test
    void thePrintedFileSaysWhatHoldsAnyway() throws Exception {
        Config byDefault = read();
        String uncommented = ConfigText.defaults()
                .lines()
                .filter(line -> !line.startsWith("##"))
                .map(line -> line.startsWith("# ") ? line.substring(2) : line)
                .collect(Collectors.joining("\n"));

        Config fromFile = read(uncommented);

        assertThat(fromFile.relay()).isEqualTo(byDefault.relay());
        assertThat(fromFile.inForce())
                .hasSize(Settings.ALL.size())
                .allSatisfy(one -> assertThat(one.origin()).startsWith(file + ":"));
        assertThat(read(ConfigText.defaults()).relay()).isEqualTo(byDefault.relay());
    }

    @Test
    void everySettingIsExplainedInTheFile() {
        assertThat(Settings.ALL).allSatisfy(setting -> {
            assertThat(setting.comment()).endsWith(".").doesNotContain("  ");
            assertThat(ConfigText.defaults()).contains("\n# " + setting.name() + " = ");
        });
        assertThat(ConfigText.defaults().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
    }

    @Test
    void readsEachKindOfValue() throws Exception {
        Config config = read("""
                listen = "[::1]:0"
                urls = ["wss://Relay.Example/", "ws://127.0.0.1:7447"]
                auth = "Required"
                private_kinds = [4, 4_444]
                trusted_proxies = ["10.0.0.0/8", "::1"]
                deflate = false
                [limits]
                max_limit = 10_000
                message_bytes = "1 MiB"
                event_bytes = 100000
                [timeouts]
                idle = 3600
                [info]
                name = "Ours"
                pubkey = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
                [store]
                map_bytes = "2 GiB"
                """);

        RelayConfig relay = config.relay();
        assertThat(relay.listen().getAddress().getHostAddress()).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(relay.urls())
                .containsExactlyInAnyOrder(new RelayUrl("wss://relay.example"), new RelayUrl("ws://127.0.0.1:7447"));
        assertThat(relay.auth()).isEqualTo(AuthMode.REQUIRED);
        assertThat(relay.privateKinds()).isEqualTo(Filter.Kinds.of(4, 4444));
        assertThat(relay.trustedProxies()).containsExactly("10.0.0.0/8", "::1");
        assertThat(relay.deflate()).isFalse();
        assertThat(relay.limits().maxLimit()).isEqualTo(10_000);
        assertThat(relay.limits().messageBytes()).isEqualTo(1 << 20);
        assertThat(relay.limits().event().maxBytes()).isEqualTo(100_000);
        assertThat(relay.limits().event().maxContentBytes()).isEqualTo(100_000 - Limits.AROUND_CONTENT_BYTES);
        assertThat(relay.timeouts().idle()).hasMinutes(60);
        assertThat(relay.info().name()).isEqualTo("Ours");
        assertThat(relay.info().pubkey()).isPresent();
        assertThat(config.mapBytes()).isEqualTo(2L << 30);
        assertThat(config.store(home).ownUrls()).isEqualTo(relay.urls());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lisen = \"x\"|3: there is no setting lisen; did you mean listen?",
                "[limits]\\nmaxlimit = 5|4: there is no setting limits.maxlimit; did you mean limits.max_limit?",
                "[limit]\\nmax_limit = 5|4: there is no setting limit.max_limit; did you mean limits.max_limit?",
                "listen = 7447|3: listen must be ADDR:PORT, such as 127.0.0.1:7447",
                "listen = \"7447\"|3: listen must be ADDR:PORT",
                "listen = \"::1:7447\"|3: listen must be ADDR:PORT",
                "listen = \"127.0.0.1:70000\"|3: listen must be ADDR:PORT",
                "listen = \"no-such-host.invalid:1\"|3: listen names the address no-such-host.invalid",
                "auth = \"maybe\"|3: auth must be one of off, optional, required, not \"maybe\"",
                "deflate = \"yes\"|3: deflate must be true or false, not \"yes\"",
                "urls = \"wss://relay.example,http://x\"|3: urls must be a ws:// or wss:// URL, not \"http://x\"",
                "urls = [1]|3: urls must be a ws:// or wss:// URL, not 1",
                "private_kinds = [70000]|3: private_kinds must be a whole number from 0 to 65535, not 70000",
                "trusted_proxies = [\"10.0.0.0/33\"]|3: trusted_proxies must be an address or a block",
                "trusted_proxies = [\"proxy\"]|3: trusted_proxies must be an address or a block",
                "[limits]\\nmax_limit = \"many\"|4: limits.max_limit must be a whole number from 1 to 1000000",
                "[limits]\\nmax_limit = 0|4: limits.max_limit must be a whole number from 1 to 1000000, not 0",
                "[limits]\\nmax_limit = 1.5|4: limits.max_limit must be a whole number from 1 to 1000000, not 1.5",
                "[limits]\\nmessage_bytes = \"1 parsec\"|4: limits.message_bytes must be a size from 1 KiB to 64 MiB",
                "[limits]\\nevent_bytes = \"4 MiB\"|4: limits.event_bytes (\"4 MiB\") must be at least 10 bytes less than"
                        + " limits.message_bytes (\"4 MiB\")",
                "[limits]\\nmessage_bytes = 2000\\nevent_bytes = 1991|5: limits.event_bytes (\"1991 B\") must be at",
                "[limits]\\ncontent_bytes = \"2 MiB\"|4: limits.content_bytes (\"2 MiB\") must be at least 352 bytes",
                "[limits]\\nmax_limit = 100\\ndefault_limit = 101|5: limits.default_limit (101) must not be more than limits.max_limit (100)",
                "[store]\\nlisten = \"127.0.0.1:1\"|4: there is no setting store.listen; listen belongs to no table: it must stand before the first [table] of the file",
                "[limits]\\nauth = \"off\"|4: there is no setting limits.auth; auth belongs to no table",
                "[limits]\\nauht = \"off\"|4: there is no setting limits.auht; did you mean auth? That belongs to no table: it must stand before the first [table] of the file",
                "[limits]\\nlisen = \"x\"|4: there is no setting limits.lisen; did you mean listen? That belongs to no table",
                "[limits]\\nmax_limt = 5|4: there is no setting limits.max_limt; did you mean limits.max_limit?",
                "[timeouts]\\nidle = 10|4: timeouts.ping (55) must not be more than timeouts.idle (10)",
                "[info]\\npubkey = \"ABC\"|4: info.pubkey must be 64 hex digits, not \"ABC\"",
                "[info]\\nname = 5|4: info.name must be text in quotation marks, not 5",
                "listen = |3: not TOML: ",
                "listen = \"a:1\"\\nlisten = \"b:1\"|4: not TOML: ",
                "[info|3: not TOML: ",
            })
    void saysWhereWhatIsWrongAndWhatIsRight(String toml, String message) throws Exception {
        String text = "# a comment\n\n" + toml.replace("\\n", "\n") + "\n";

        assertThat(failure(text)).startsWith(file + ":" + message);
    }

    @Test
    void letsDefaultsGiveWayToTheSizesThatAreSet() throws Exception {
        Files.writeString(file, "[limits]\nmessage_bytes = \"64 KiB\"\n");
        Config config = ConfigReader.read(home, Overrides.NONE, Map.of());

        assertThat(config.relay().limits().event().maxBytes()).isEqualTo((64 << 10) - 10);
        assertThat(config.relay().limits().event().maxContentBytes()).isEqualTo((64 << 10) - 10 - 352);
        assertThat(ConfigText.inForce(config))
                .contains("event_bytes = \"65526 B\"  # follows message_bytes\n")
                .contains("content_bytes = \"65174 B\"  # follows event_bytes\n");

        Files.writeString(file, "[limits]\nmessage_bytes = \"1 KiB\"\nevent_bytes = 512\ncontent_bytes = 160\n");
        assertThat(ConfigReader.read(home, Overrides.NONE, Map.of())
                        .relay()
                        .limits()
                        .event()
                        .maxContentBytes())
                .isEqualTo(160);
    }

    @Test
    void theDefaultLimitFollowsALowerMaximum() throws Exception {
        Config config = read("[limits]\nmax_limit = 100\n");

        assertThat(config.relay().limits().maxLimit()).isEqualTo(100);
        assertThat(config.relay().limits().defaultLimit()).isEqualTo(100);
        assertThat(ConfigText.inForce(config)).contains("default_limit = 100  # follows max_limit\n");
        assertThat(read("[limits]\nmax_limit = 100\ndefault_limit = 50")
                        .relay()
                        .limits()
                        .defaultLimit())
                .isEqualTo(50);
        assertThat(read("[limits]\nmax_limit = 10_000").relay().limits().defaultLimit())
                .isEqualTo(Limits.DEFAULT.defaultLimit());
    }

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws Exception {
        Files.writeString(file, "auth = \"off\"\nlisten = \"127.0.0.1:1\"\n[limits]\nmax_limit = 1_000\n");
        Map<String, String> environment = Map.of(
                "POSTROAD_LISTEN",
                "127.0.0.1:2",
                "POSTROAD_LIMITS_MAX_LIMIT",
                "2000",
                "POSTROAD_URLS",
                "ws://a,ws://b");
        Overrides overrides = Overrides.NONE.with("listen", "127.0.0.1:3", "--listen");

        Config config = ConfigReader.read(home, overrides, environment);

        assertThat(config.relay().listen().getPort()).isEqualTo(3);
        assertThat(config.relay().limits().maxLimit()).isEqualTo(2000);
        assertThat(config.relay().auth()).isEqualTo(AuthMode.OFF);
        assertThat(config.urls()).containsExactly("ws://a", "ws://b");
        assertThat(ConfigText.inForce(config))
                .contains("listen = \"127.0.0.1:3\"  # --listen\n")
                .contains("max_limit = 2000  # POSTROAD_LIMITS_MAX_LIMIT\n")
                .contains("auth = \"off\"  # " + file + ":1\n")
                .contains("deflate = true  # default\n");
    }

    @Test
    void blamesTheEnvironmentOrTheFlagThatIsWrong() {
        ConfigException inEnvironment = catchThrowableOfType(
                ConfigException.class, () -> ConfigReader.read(home, Overrides.NONE, Map.of("POSTROAD_AUTH", "no")));
        ConfigException onCommandLine = catchThrowableOfType(
                ConfigException.class,
                () -> ConfigReader.read(home, Overrides.NONE.with("auth", "no", "--auth"), Map.of()));

        assertThat(inEnvironment).hasMessageStartingWith("POSTROAD_AUTH: auth must be one of");
        assertThat(inEnvironment.isOnCommandLine()).isFalse();
        assertThat(onCommandLine).hasMessageStartingWith("--auth: auth must be one of");
        assertThat(onCommandLine.isOnCommandLine()).isTrue();
    }

    @Test
    void namesVariablesThatAreNoSettings() {
        Config config = ConfigReader.read(
                home, Overrides.NONE, Map.of("POSTROAD_LISTNE", "x", "POSTROAD_HOME", "y", "PATH", "z"));

        assertThat(config.unknownVariables()).containsExactly("POSTROAD_LISTNE");
    }

    @Test
    void readsAnotherFileWhenToldAndMissesItWhenItIsNotThere() throws Exception {
        Path other = folder.resolve("other.toml");
        Overrides named = Overrides.NONE.withFile(other.toString());
        ConfigException missing =
                catchThrowableOfType(ConfigException.class, () -> ConfigReader.read(home, named, Map.of()));
        Files.writeString(other, "auth = \"off\"");

        assertThat(missing).hasMessage(other + ": there is no such file");
        assertThat(ConfigReader.read(home, named, Map.of()).relay().auth()).isEqualTo(AuthMode.OFF);
        assertThat(ConfigReader.read(home, Overrides.NONE, Map.of("POSTROAD_CONFIG", other.toString()))
                        .relay()
                        .auth())
                .isEqualTo(AuthMode.OFF);
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, /home/me, , /home/me/.local/share/postroad",
        "Linux, /home/me, /data, /data/postroad",
        "Linux, /home/me, relative, /home/me/.local/share/postroad",
        "Mac OS X, /Users/me, /data, /Users/me/Library/Application Support/postroad",
    })
    void theHomeIsThePlatformsDataFolder(String system, String user, String data, String expected) {
        Map<String, String> environment =
                data == null ? Map.of("HOME", user) : Map.of("HOME", user, "XDG_DATA_HOME", data);

        assertThat(Home.platformFolder(environment, system)).isEqualTo(Path.of(expected));
    }

    @Test
    void theHomeIsNamedByFlagThenEnvironment() {
        Map<String, String> environment = Map.of("POSTROAD_HOME", "/from/environment");

        assertThat(Home.of("/from/flag", environment).folder()).isEqualTo(Path.of("/from/flag"));
        assertThat(Home.of("", environment).folder()).isEqualTo(Path.of("/from/environment"));
    }

    @Test
    void saysWhatIsMeantByAVariableThatIsNoSetting() {
        Config config = ConfigReader.read(
                home,
                Overrides.NONE,
                Map.of("POSTROAD_LISTNE", "x", "POSTROAD_LIMIT_MAX_LIMIT", "1", "POSTROAD_ZZ", "1"));

        assertThat(config.warnings())
                .containsExactly(
                        "warning: POSTROAD_LIMIT_MAX_LIMIT is no setting; did you mean POSTROAD_LIMITS_MAX_LIMIT?",
                        "warning: POSTROAD_LISTNE is no setting; did you mean POSTROAD_LISTEN?",
                        "warning: POSTROAD_ZZ is no setting");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "auth = off|; text needs quotes: auth = \"off\"",
                "listen = 127.0.0.1:7447 # all|; text needs quotes: listen = \"127.0.0.1:7447\"",
                "[limits]\\nmax_limit = 5\\n[limits] # again|; put the settings under the [limits] that is there already",
            })
    void saysWhatIsMeantByALineThatIsNotToml(String toml, String advice) throws Exception {
        assertThat(failure(toml.replace("\\n", "\n") + "\n"))
                .contains(": not TOML: ")
                .endsWith(advice);
    }
}
