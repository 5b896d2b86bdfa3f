package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IdentityTest {
    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    @Test
    void staysTheSameOnceMade() throws Exception {
        Identity made = Identity.loadOrCreate(folder.resolve("deep/state"));
        Identity read = Identity.loadOrCreate(folder.resolve("deep/state"));

        assertThat(read.fingerprint()).isEqualTo(made.fingerprint());
        assertThat(Identity.loadOrCreate(folder.resolve("other")).fingerprint()).isNotEqualTo(made.fingerprint());
    }

    @Test
    void keepsItsKeyToTheOwner() throws Exception {
        Identity _ = Identity.loadOrCreate(folder.resolve("state"));

        assertThat(Files.getPosixFilePermissions(folder.resolve("state/identity.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(folder.resolve("state")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void takesTheKeyBackFromOthers() throws Exception {
        Identity _ = Identity.loadOrCreate(folder);
        Files.setPosixFilePermissions(file("identity.key"), PosixFilePermissions.fromString("rw-r--r--"));

        Identity _ = Identity.loadOrCreate(folder);

        assertThat(Files.getPosixFilePermissions(file("identity.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void isOneForAllThatStartAtOnce() throws Exception {
        List<FutureTask<Identity>> starting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            starting.add(LinkContract.start(Thread.ofPlatform().factory(), () -> Identity.loadOrCreate(folder)));
        }
        Set<Fingerprint> seen = new HashSet<>();
        for (FutureTask<Identity> task : starting) {
            seen.add(LinkContract.await(task).fingerprint());
        }

        assertThat(seen).hasSize(1);
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("identity.key", "identity.crt", "identity.lock");
        }
    }

    @Test
    void makesTheCertificateThatACrashLeftOut() throws Exception {
        Identity _ = Identity.loadOrCreate(folder);
        byte[] key = Files.readAllBytes(file("identity.key"));
        Files.delete(file("identity.crt"));
        Files.writeString(file("identity.crt.new"), "half of it");

        Identity second = Identity.loadOrCreate(folder);

        assertThat(Files.readAllBytes(file("identity.key"))).isEqualTo(key);
        try (LinkPair pair = TlsInMemoryTest.overMemory(second, second)) {
            assertThat(pair.a().peerFingerprint()).contains(second.fingerprint());
        }
    }

    @Test
    void saysWhichFileIsBroken() throws Exception {
        Identity _ = Identity.loadOrCreate(folder);
        byte[] key = Files.readAllBytes(file("identity.key"));
        Files.write(file("identity.key"), new byte[] {1, 2, 3});

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Identity.loadOrCreate(folder))
                .withMessageStartingWith(file("identity.key") + " is broken");

        Files.write(file("identity.key"), key);
        Files.write(file("identity.crt"), new byte[0]);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Identity.loadOrCreate(folder))
                .withMessageStartingWith(file("identity.crt") + " is broken");
    }

    @Test
    void makesNoNewKeyForAnOldCertificate() throws Exception {
        Identity _ = Identity.loadOrCreate(folder);
        Files.delete(file("identity.key"));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Identity.loadOrCreate(folder))
                .withMessageStartingWith(file("identity.key") + " is missing though its certificate is there");
        assertThat(file("identity.key")).doesNotExist();
    }
}
