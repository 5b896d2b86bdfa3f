package postroad.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static SSLContext serverOfLocalhost;
    private static SSLContext serverOfAnother;

    @BeforeAll
    static void makeCertificates() throws Exception {
        serverOfLocalhost = context("localhost", "dns:localhost");
        serverOfAnother = context("another", "dns:another.example");
    }

    /// A context whose certificate is for `name`, and which trusts that certificate alone.
    private static SSLContext context(String file, String name) throws Exception {
        Path path = folder.resolve(file + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + file,
                        "-ext",
                        "san=" + name,
                        "-validity",
                        "2",
                        "-keystore",
                        path.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(file + ".log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(path)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static ScriptedServer start(SSLContext context, ScriptedServer.Script script) throws Exception {
        return ScriptedServer.start(context.getServerSocketFactory(), InetAddress.getLoopbackAddress(), script);
    }

    @Test
    void talksThroughTlsAndNamesTheHost() throws Exception {
        List<SNIServerName> names = new CopyOnWriteArrayList<>();
        try (var server = start(serverOfLocalhost, peer -> {
            peer.upgrade();
            names.addAll(((ExtendedSSLSession) ((SSLSocket) peer.socket).getSession()).getRequestedServerNames());
            peer.sendText(peer.readFrame().text());
            peer.readFrame();
        })) {
            var url = WebSocketUrl.parse("wss://localhost:" + server.port());
            try (var link = WebSocketLink.open(url, WebSocketOptions.DEFAULT.withTls(serverOfLocalhost))) {
                link.send("secret");

                assertThat(((LinkMessage.Text) link.receive()).utf8())
                        .asString(UTF_8)
                        .isEqualTo("secret");
            }
            server.join();
        }

        // The JDK leaves SNI out for a name without a dot; that it is sent for others is the JDK's to prove.
        assertThat(names).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void refusesACertificateOfAnotherHost() throws Exception {
        try (var server = start(serverOfAnother, ScriptedServer.Peer::upgrade)) {
            var url = WebSocketUrl.parse("wss://localhost:" + server.port());

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(url, WebSocketOptions.DEFAULT.withTls(serverOfAnother)))
                    .withMessageStartingWith("TLS with localhost:" + server.port() + " failed: ")
                    .withMessageContaining("localhost");
        }
    }

    @Test
    void refusesACertificateOfAnUnknownAuthority() throws Exception {
        try (var server = start(serverOfLocalhost, ScriptedServer.Peer::upgrade)) {
            var url = WebSocketUrl.parse("wss://localhost:" + server.port());

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(url, WebSocketOptions.DEFAULT))
                    .withMessageContaining("certification path");
        }
    }

    @Test
    void saysThatTheServerSpeaksNoTls() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            peer.in.readNBytes(5);
            peer.send("HTTP/1.1 400 Bad Request\r\n\r\n");
        })) {
            var url = WebSocketUrl.parse("wss://127.0.0.1:" + server.port());

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(url, WebSocketOptions.DEFAULT))
                    .withMessageContaining("perhaps ws:// is meant");
        }
    }

    @Test
    void saysThatTheServerWantsTls() throws Exception {
        try (var server = start(serverOfLocalhost, peer -> ((SSLSocket) peer.socket).startHandshake())) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), WebSocketOptions.DEFAULT))
                    .withMessageContaining("wss://");
        }
    }
}
