package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys that are changed many times while both sides read and write; the limit belongs to the whole JVM,
/// so it has its own.
final class KeyUpdateTest {
    private static final String DONE = "both ways are whole";

    @TempDir
    private Path folder;

    @Test
    void keysChangeWhileBothSidesTalk() throws Exception {
        Path security =
                Files.writeString(folder.resolve("security"), "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^19\n");
        Path log = folder.resolve("log");

        Process talk = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.security.properties=" + security,
                        "-Djavax.net.debug=ssl:handshake",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KeyUpdateTest.class.getName(),
                        folder.resolve("state").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = talk.waitFor(100, TimeUnit.SECONDS);
        talk.destroyForcibly();

        assertThat(ended).isTrue();
        assertThat(Files.readAllLines(log))
                .contains(DONE)
                .anySatisfy(line -> assertThat(line).contains("KeyUpdate"));
    }

    /// Runs in the JVM with the small limit.
    public static void main(String[] args) throws Exception {
        Identity identity = Identity.loadOrCreate(Path.of(args[0]));
        try (LinkPair pair = TlsInMemoryTest.overMemory(identity, identity)) {
            long total = 12L << 20;
            var threads = Thread.ofPlatform().daemon().factory();
            FutureTask<byte[]> sentA =
                    LinkContract.start(threads, () -> LinkContract.send(pair.a(), 1, total, 100_000, false));
            FutureTask<byte[]> sentB =
                    LinkContract.start(threads, () -> LinkContract.send(pair.b(), 2, total, 100_000, false));
            FutureTask<byte[]> readA = LinkContract.start(threads, () -> LinkContract.hashAll(pair.a(), 70_000, false));
            assertThat(LinkContract.hashAll(pair.b(), 70_000, false)).isEqualTo(LinkContract.await(sentA));
            assertThat(LinkContract.await(readA)).isEqualTo(LinkContract.await(sentB));
        }
        System.out.println(DONE);
    }
}
