package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

@ExtendWith(Leaks.class)
class WarmUpTest {
    private static final RelayConfig CONFIG =
            RelayConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @Test
    void leavesNothingBehind(@TempDir Path folder) throws IOException {
        WarmUp.run(CONFIG, Transport.choose(), folder);

        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void costsOnlyTheWarmthWhenItCannotBeDone(@TempDir Path folder) {
        assertThatCode(() -> WarmUp.run(CONFIG, Transport.choose(), folder.resolve("missing")))
                .doesNotThrowAnyException();
    }

    @Test
    void touchesNothingOfTheRealRelay(@TempDir Path folder) {
        assertThat(CONFIG.warmUp()).isTrue();
        try (LmdbStore store = LmdbStore.open(StoreOptions.at(folder));
                RelayServer relay = RelayServer.start(CONFIG, store)) {
            assertThat(store.sequence()).isZero();
            assertThat(relay.stats().connections()).isZero();
            assertThat(relay.address().getPort()).isPositive();
        }
    }
}
