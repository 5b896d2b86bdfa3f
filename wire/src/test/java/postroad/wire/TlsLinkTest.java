package postroad.wire;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class TlsLinkTest extends LinkContract {
    @TempDir
    private static Path folder;

    private static Identity one;
    private static Identity other;

    @BeforeAll
    static void makeIdentities() throws Exception {
        one = Identity.loadOrCreate(folder.resolve("one"));
        other = Identity.loadOrCreate(folder.resolve("other"));
    }

    @Override
    LinkPair open() throws Exception {
        return Loopback.pair(Optional.of(one), Optional.of(other));
    }

    @Override
    boolean tellsCutsFromEnds() {
        return true;
    }
}
