package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsInMemoryTest extends LinkContract {
    @TempDir
    private static Path folder;

    private static Identity one;
    private static Identity other;

    @BeforeAll
    static void makeIdentities() throws Exception {
        one = Identity.loadOrCreate(folder.resolve("one"));
        other = Identity.loadOrCreate(folder.resolve("other"));
    }

    static LinkPair overMemory(Identity dialing, Identity listening) throws Exception {
        return over(MemoryLinks.pair(200_000), dialing, listening);
    }

    static LinkPair over(LinkPair below, Identity dialing, Identity listening) throws Exception {
        FutureTask<TlsLink> accepted = start(Thread.ofVirtual().factory(), () -> TlsLink.accept(below.b(), listening));
        TlsLink connected = TlsLink.connect(below.a(), dialing);
        return new LinkPair(connected, await(accepted));
    }

    @Override
    LinkPair open() throws Exception {
        return overMemory(one, other);
    }

    @Override
    boolean tellsCutsFromEnds() {
        return true;
    }

    @Test
    void tellsEachSideTheOthersCertificate() {
        assertThat(links.a().peerFingerprint()).contains(other.fingerprint());
        assertThat(links.b().peerFingerprint()).contains(one.fingerprint());
        assertThat(links.a().facts().cipher()).contains("TLS_AES_128_GCM_SHA256");
        assertThat(links.b().facts().cipher()).contains("TLS_AES_128_GCM_SHA256");
    }
}
