package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

@ExtendWith(Leaks.class)
class WarmUpTest {
    @Test
    void leavesNothingBehindAndTouchesNothingOfTheRealStore(@TempDir Path folder) throws IOException {
        Set<Path> before = warmUpFolders();
        RelayConfig config = RelayConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThat(config.warmUp()).isTrue();

        try (LmdbStore store = LmdbStore.open(StoreOptions.at(folder));
                RelayServer relay = RelayServer.start(config, store)) {
            assertThat(store.sequence()).isZero();
            assertThat(relay.stats().connections()).isZero();
            assertThat(relay.address().getPort()).isPositive();
        }

        assertThat(warmUpFolders()).isEqualTo(before);
    }

    private static Set<Path> warmUpFolders() throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("postroad-warm-up-"))
                    .collect(Collectors.toSet());
        }
    }
}
