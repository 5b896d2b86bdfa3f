package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import postroad.nostr.core.EventLimits;

/// What the document and the page say of the limits; that they are enforced is for the tests of each.
class RelayDocumentTest {
    /// A different number for each limit, so that none is stated in the place of another.
    private static final TestRelay.Settings SETTINGS = TestRelay.defaults().with(s -> {
        s.messageBytes = 900_001;
        s.event = new EventLimits(890_002, 2_003, 60_004, 800_005);
        s.filters = 16;
        s.filterValues = 4_007;
        s.subscriptions = 58;
        s.subscriptionIdLength = 59;
        s.defaultLimit = 410;
        s.maxLimit = 4_011;
        s.scanEntries = 4_000_012;
        s.outboxBytes = 9_000_013;
        s.outboxPauseBytes = 900_014;
        s.ingestBytes = 7_000_015;
        s.connections = 20_016;
        s.connectionsPerAddress = 117;
        s.futureSeconds = 818;
        s.pastSeconds = 90_019;
        s.eventsPerSecond = 1_020;
        s.requestsPerSecond = 1_021;
    });

    @Test
    void statesEachLimitOfAClient() throws IOException {
        JsonNode limitation = limitation(SETTINGS);

        Set<Long> stated = new HashSet<>();
        limitation.forEach(value -> stated.add(value.asLong()));
        assertThat(stated)
                .contains(900_001L, 890_002L, 2_003L, 60_004L, 800_005L, 16L, 4_007L, 58L, 59L, 410L, 4_011L)
                .contains(4_000_012L, 9_000_013L, 7_000_015L, 20_016L, 117L, 818L, 90_019L, 1_020L, 1_021L);
        assertThat(limitation.get("max_message_length").asInt()).isEqualTo(900_001);
        assertThat(limitation.get("max_event_tags").asInt()).isEqualTo(2_003);
        assertThat(limitation.get("max_content_bytes").asInt()).isEqualTo(800_005);
        assertThat(limitation.has("max_content_length")).as("counts characters").isFalse();
        assertThat(limitation.get("max_counts").asInt()).isEqualTo(Counts.MOST);
        assertThat(limitation.get("max_count_wait_seconds").asInt()).isEqualTo(Counts.MOST_WAIT_SECONDS);
        assertThat(limitation.get("max_auth_keys").asInt()).isEqualTo(Authentication.MOST_KEYS);
        assertThat(limitation.get("max_subscriptions").asInt()).isEqualTo(58);
        assertThat(limitation.get("max_subid_length").asInt()).isEqualTo(59);
        assertThat(limitation.get("default_limit").asInt()).isEqualTo(410);
        assertThat(limitation.get("max_limit").asInt()).isEqualTo(4_011);
        assertThat(limitation.get("created_at_upper_limit").asInt()).isEqualTo(818);
        assertThat(limitation.get("created_at_lower_limit").asInt()).isEqualTo(90_019);
        assertThat(limitation.get("max_open_filter_values").asLong())
                .isEqualTo(QueryPolicy.openFilterValues(SETTINGS.config().limits()));
    }

    @Test
    void statesNoBoundThatIsSwitchedOff() throws IOException {
        JsonNode limitation = limitation(TestRelay.defaults().with(s -> s.futureSeconds = 0));

        for (String name : Set.of(
                "created_at_upper_limit",
                "created_at_lower_limit",
                "max_events_per_second",
                "max_requests_per_second")) {
            assertThat(limitation.has(name)).as(name).isFalse();
        }
    }

    @Test
    void saysWhetherAuthIsRequired() throws IOException {
        for (AuthMode mode : AuthMode.values()) {
            JsonNode limitation = limitation(TestRelay.defaults().with(s -> s.auth = mode));

            assertThat(limitation.get("auth_required").asBoolean()).isEqualTo(mode == AuthMode.REQUIRED);
        }
    }

    private static JsonNode limitation(TestRelay.Settings settings) throws IOException {
        return new ObjectMapper()
                .readTree(new RelayDocument(settings.config()).json())
                .get("limitation");
    }
}
