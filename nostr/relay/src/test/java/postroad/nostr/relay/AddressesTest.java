package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.64/26, 10.1.2.127, true",
        "10.1.2.64/26, 10.1.2.128, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::1, ::1, true"
    })
    void tellsWhetherABlockHoldsAnAddress(String block, String address, boolean holds) {
        assertThat(AddressBlock.parse(block).contains(AddressBlock.literal(address)))
                .isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "::1/129", "1.2.3.4.5"})
    void refusesWhatIsNoBlockWithoutLookingItUp(String text) {
        assertThatThrownBy(() -> AddressBlock.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.1 | 203.0.113.1",
                "6.6.6.6, 203.0.113.1 | 203.0.113.1",
                "6.6.6.6, 203.0.113.1, 127.0.0.9 | 203.0.113.1",
                "203.0.113.1:4711 | 203.0.113.1",
                "[2001:db8::1]:443 | 2001:db8::1",
                "not an address | 127.0.0.1",
                "6.6.6.6, unknown | 127.0.0.1",
                "127.0.0.3, 127.0.0.2 | 127.0.0.3"
            })
    void findsTheClientBehindTrustedProxies(String header, String client) throws UnknownHostException {
        Addresses addresses = new Addresses(TestRelay.defaults()
                .with(s -> s.trustedProxies = List.of("127.0.0.0/8"))
                .config());

        assertThat(addresses.client(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), List.of(header)))
                .isEqualTo(Addresses.key(AddressBlock.literal(client)));
    }

    @Test
    void forgetsAddressesThatOweNothing() {
        Addresses addresses = new Addresses(
                TestRelay.defaults().with(s -> s.eventsPerSecond = 1).config());
        assertThat(addresses.tryEnter("a")).isTrue();
        addresses.leave("a");
        assertThat(addresses.known()).isZero();

        addresses.tryEnter("b");
        addresses.tryEvent("b");
        addresses.leave("b");
        addresses.forgetIdle();

        assertThat(addresses.known()).as("coming back does not fill the bucket").isEqualTo(1);
    }

    @Test
    void refillsABucketSteadily() {
        long second = 1_000_000_000L;
        TokenBucket bucket = new TokenBucket(2, 0);
        for (int i = 0; i < 2 * TokenBucket.SECONDS; i++) {
            assertThat(bucket.tryTake(0)).isTrue();
        }

        assertThat(bucket.tryTake(0)).isFalse();
        assertThat(bucket.tryTake(second / 2)).isTrue();
        assertThat(bucket.tryTake(second / 2)).isFalse();
        assertThat(bucket.isFull(second)).isFalse();
        assertThat(bucket.isFull(60 * second)).isTrue();
    }
}
