package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Tag;

@ExtendWith(Leaks.class)
class AuthTest {
    private static final long NOW = TestRelay.NOW;

    private TestRelay relay;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        relay = TestRelay.start();
        client = relay.client();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        relay.close();
    }

    @Test
    void challengesEachConnectionAnew() throws IOException {
        try (RawClient other = relay.client()) {
            assertThat(client.challenge()).hasSizeGreaterThanOrEqualTo(16).isNotEqualTo(other.challenge());
        }
    }

    @Test
    void takesSeveralKeysOnOneConnection() throws IOException {
        assertThat(auth(relay.authEvent(client, 1))).contains("true,\"\"");
        assertThat(auth(relay.authEvent(client, 2))).contains("true,\"\"");

        for (int author : new int[] {1, 2}) {
            assertThat(client.publish(relay.note(author, NOW, "mine", Tag.of("-"))))
                    .contains("true,\"\"");
        }
        assertThat(client.publish(relay.note(3, NOW, "not mine", Tag.of("-")))).contains("false,\"restricted: ");
    }

    @Test
    void refusesWhatProvesNothing() throws IOException {
        Tag ours = Tag.of("relay", "ws://" + client.host());
        Tag challenge = Tag.of("challenge", client.challenge());

        assertThat(auth(relay.event(1, NOW, 1, "", ours, challenge))).contains("false,\"invalid: the kind");
        assertThat(auth(relay.event(1, NOW - 601, 22_242, "", ours, challenge)))
                .contains("false,\"invalid: created_at");
        assertThat(auth(relay.event(1, NOW + 601, 22_242, "", ours, challenge)))
                .contains("false,\"invalid: created_at");
        assertThat(auth(relay.event(1, NOW, 22_242, "", ours))).contains("false,\"invalid: the challenge");
        assertThat(auth(relay.event(1, NOW, 22_242, "", ours, Tag.of("challenge", "x"))))
                .contains("false,\"invalid: the challenge");
        assertThat(auth(relay.event(1, NOW, 22_242, "", challenge))).contains("false,\"invalid: the relay tag");
        assertThat(auth(relay.event(1, NOW, 22_242, "", Tag.of("relay", "ws://elsewhere.example"), challenge)))
                .contains("false,\"invalid: the relay tag");
        assertThat(auth(relay.event(1, NOW, 22_242, "", Tag.of("relay", "ws://127.0.0.1:1"), challenge)))
                .contains("false,\"invalid: the relay tag");
        assertThat(auth(relay.event(1, NOW - 600, 22_242, "", ours, challenge))).contains("true,\"\"");
    }

    @Test
    void refusesAForgedAnswerAndKeepsWhatWasProven() throws IOException {
        relay.authenticate(client, 1);
        Event genuine = relay.authEvent(client, 2);
        String other = relay.note(2, NOW, "x").signatureHex();

        client.send("[\"AUTH\"," + genuine.json().replace(genuine.signatureHex(), other) + "]");

        assertThat(client.next()).contains("false,\"invalid: bad signature");
        assertThat(client.publish(relay.note(1, NOW, "mine", Tag.of("-")))).contains("true,\"\"");
        assertThat(client.publish(relay.note(2, NOW, "mine", Tag.of("-")))).contains("false,\"restricted: ");
    }

    @Test
    void comparesTheRelayTagWithItsOwnAddressesInNormalForm() throws IOException {
        var settings = TestRelay.defaults()
                .with(s ->
                        s.urls = Set.of(RelayUrl.parse("wss://Relay.Example/").orElseThrow()));
        try (TestRelay named = TestRelay.start(settings);
                RawClient member = named.client()) {
            Tag challenge = Tag.of("challenge", member.challenge());
            String byHost =
                    auth(member, named.event(1, NOW, 22_242, "", Tag.of("relay", "ws://" + member.host()), challenge));
            String byName = auth(
                    member, named.event(1, NOW, 22_242, "", Tag.of("relay", "wss://RELAY.example:443"), challenge));

            assertThat(byHost).contains("false,\"invalid: the relay tag");
            assertThat(byName).contains("true,\"\"");
        }
    }

    @Test
    void believesTheHostTheClientNamedBehindATlsProxy() throws IOException {
        try (RawClient proxied = RawClient.tcp(relay.address())) {
            proxied.upgradeAs("my.relay");
            Tag challenge = Tag.of("challenge", proxied.nextMessage().get(1).asText());

            String answer =
                    auth(proxied, relay.event(1, NOW, 22_242, "", Tag.of("relay", "wss://my.relay/"), challenge));

            assertThat(answer).contains("true,\"\"");
        }
    }

    @Test
    void sendsNoChallengeWhereAuthIsOff() throws IOException {
        try (TestRelay off = TestRelay.start(TestRelay.defaults().with(s -> s.auth = AuthMode.OFF));
                RawClient plain = off.client()) {
            assertThat(plain.isQuiet()).isTrue();
            assertThat(auth(plain, off.authEvent(plain, 1))).contains("false,\"unsupported: ");
        }
    }

    @Test
    void requiresAuthForEverythingWhereItIsRequired() throws IOException {
        try (TestRelay strict = TestRelay.start(TestRelay.defaults().with(s -> s.auth = AuthMode.REQUIRED));
                RawClient visitor = strict.client()) {
            Event note = strict.note(1, NOW, "x");
            assertThat(visitor.publish(note)).contains("\"" + note.id().hex() + "\",false,\"auth-required: ");
            visitor.send("[\"REQ\",\"r\",{}]");
            assertThat(visitor.next()).startsWith("[\"CLOSED\",\"r\",\"auth-required: ");
            visitor.send("[\"COUNT\",\"c\",{}]");
            assertThat(visitor.next()).startsWith("[\"CLOSED\",\"c\",\"auth-required: ");

            strict.authenticate(visitor, 5);

            assertThat(visitor.publish(note)).contains("true,\"\"");
            assertThat(visitor.request("r", "{}")).isEqualTo(List.of(note.id().hex()));
        }
    }

    private String auth(Event event) throws IOException {
        return auth(client, event);
    }

    private static String auth(RawClient client, Event event) throws IOException {
        client.send("[\"AUTH\"," + event.json() + "]");
        return client.next();
    }
}
