package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TcpListenerTest {
    @TempDir
    private static Path folder;

    private static Optional<Identity> identity;

    private final BlockingQueue<String> strays = new LinkedBlockingQueue<>();

    @BeforeAll
    static void makeIdentity() throws Exception {
        identity = Optional.of(Identity.loadOrCreate(folder));
    }

    private TcpListener listen(LinkOptions options) throws Exception {
        return Loopback.listen(identity, options, strays::add);
    }

    private static Socket connect(TcpListener listener) throws IOException {
        return new Socket(listener.address().getAddress(), listener.address().getPort());
    }

    private String stray() throws Exception {
        String text = strays.poll(50, TimeUnit.SECONDS);
        assertThat(text).isNotNull();
        return text;
    }

    @Test
    void servesAGoodPeerBesideSilentOnes() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (TcpListener listener = listen(LinkOptions.DEFAULT.withHandshakes(20, 20))) {
            for (int i = 0; i < 15; i++) {
                silent.add(connect(listener));
            }

            try (Link link = Loopback.dial(listener, identity);
                    Link accepted = listener.accept().orElseThrow()) {
                link.write(LinkContract.text("hello"));
                link.finish();

                assertThat(LinkContract.readAll(accepted)).isEqualTo("hello");
            }
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void endsTheOldestHandshakeWhenThereAreTooMany() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT.withHandshakes(1, 5));
                Socket silent = connect(listener);
                Link link = Loopback.dial(listener, identity)) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(listener.accept()).isPresent();
            assertThat(link.peerFingerprint()).contains(identity.get().fingerprint());
            assertThat(stray()).endsWith("too many unfinished ones");
        }
    }

    @Test
    void closesOneMoreFromAnAddressThatHasTooMany() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT.withHandshakes(10, 2));
                Socket first = connect(listener);
                Socket second = connect(listener);
                Socket third = connect(listener)) {
            assertThat(third.getInputStream().read()).isEqualTo(-1);
            assertThat(stray()).contains("too many unfinished ones from there");
            assertThat(first.isConnected() && second.isConnected()).isTrue();
        }
    }

    @Test
    void endsAHandshakeThatTakesTooLong() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT.withHandshakeTimeout(Duration.ofMillis(50)));
                Socket silent = connect(listener)) {
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(stray()).endsWith("did not finish the TLS handshake within 50 ms");
        }
    }

    @Test
    void endsADialedHandshakeThatTakesTooLong() throws Exception {
        try (TcpListener listener = Loopback.listen(Optional.empty(), LinkOptions.DEFAULT, strays::add)) {
            LinkOptions hasty = LinkOptions.DEFAULT.withHandshakeTimeout(Duration.ofMillis(50));

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> Links.dial("127.0.0.1", listener.address().getPort(), identity, hasty))
                    .withMessageEndingWith("did not finish the TLS handshake within 50 ms");
        }
    }

    @Test
    void outlivesGarbage() throws Exception {
        Random random = new Random(4);
        try (TcpListener listener = listen(LinkOptions.DEFAULT)) {
            for (int i = 0; i < 30; i++) {
                byte[] garbage = new byte[1 + random.nextInt(40_000)];
                random.nextBytes(garbage);
                if (i % 3 > 0 && garbage.length > 5) {
                    // Looks like a record for a while; every third one says that it is very long.
                    garbage[0] = 0x16;
                    garbage[1] = 3;
                    garbage[2] = 3;
                    garbage[3] = (byte) (i % 3 == 1 ? 0xff : 1);
                }
                try (Socket socket = connect(listener)) {
                    socket.getOutputStream().write(garbage);
                    socket.shutdownOutput();
                    while (socket.getInputStream().read() >= 0) {
                        // An alert, then the end.
                    }
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
                }
                assertThat(stray()).contains("127.0.0.1:");
            }

            try (Link _ = Loopback.dial(listener, identity)) {
                assertThat(listener.accept()).isPresent();
            }
        }
    }

    @Test
    void outlivesAPeerThatVanishesInTheHandshake() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT)) {
            try (Socket socket = connect(listener)) {
                socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
            }

            assertThat(stray()).contains("closed the connection during the TLS handshake");
        }
    }

    @Test
    void refusesAPeerWithoutACertificate() throws Exception {
        SSLContext anonymous = SSLContext.getInstance("TLSv1.3");
        anonymous.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (TcpListener listener = listen(LinkOptions.DEFAULT);
                SSLSocket socket = (SSLSocket) anonymous
                        .getSocketFactory()
                        .createSocket(
                                listener.address().getAddress(),
                                listener.address().getPort())) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                socket.startHandshake();
                int _ = socket.getInputStream().read();
            });
            assertThat(stray()).contains("no TLS with").containsIgnoringCase("certificate");
        }
    }

    /// For a client that does not care whom it talks to.
    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void showsAddressesAsPeopleWriteThem() throws Exception {
        assertThat(shown("::")).isEqualTo("[::]:7");
        assertThat(shown("::1")).isEqualTo("[::1]:7");
        assertThat(shown("fe80::1")).isEqualTo("[fe80::1]:7");
        assertThat(shown("2001:db8:0:0:1:0:0:0")).isEqualTo("[2001:db8::1:0:0:0]:7");
        assertThat(shown("10.0.0.0")).isEqualTo("10.0.0.0:7");
        assertThat(shown("1:0:2:0:3:0:4:0")).isEqualTo("[1:0:2:0:3:0:4:0]:7");
    }

    private static String shown(String address) throws Exception {
        return Links.shown(new InetSocketAddress(InetAddress.getByName(address), 7));
    }

    @Test
    void rehearsesWithItself() {
        Links.rehearse(identity.get());
    }

    @Test
    void tellsAPeerWithoutTlsThatItIsWanted() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT);
                Link plain = Loopback.dial(listener, Optional.empty())) {
            plain.write(java.nio.ByteBuffer.allocate(100_000));

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> LinkContract.readAll(plain))
                    .withMessageEndingWith("wants TLS, and this side has --plaintext");
            assertThat(stray()).contains("does not speak TLS");
        }
    }

    @Test
    void tellsAPlainListenerThatThePeerSpeaksTls() throws Exception {
        try (TcpListener listener = Loopback.listen(Optional.empty(), LinkOptions.DEFAULT, strays::add)) {
            FutureTask<Link> dialing =
                    LinkContract.start(Thread.ofVirtual().factory(), () -> Loopback.dial(listener, identity));
            try (Link plain = listener.accept().orElseThrow()) {
                assertThatExceptionOfType(LinkException.class)
                        .isThrownBy(() -> LinkContract.readAll(plain))
                        .withMessageEndingWith("speaks TLS, and this side has --plaintext");
                plain.write(LinkContract.text("STOP and so on"));
            }

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> LinkContract.await(dialing))
                    .withMessageContaining("no TLS");
        }
    }

    @Test
    void takesBothFamiliesOnTheWildcard() throws Exception {
        try (TcpListener listener = Links.listen(
                new InetSocketAddress(InetAddress.getByName("::"), 0), identity, LinkOptions.DEFAULT, strays::add)) {
            for (String host : List.of("127.0.0.1", "::1", "localhost")) {
                try (Link link = Links.dial(host, listener.address().getPort(), identity, LinkOptions.DEFAULT)) {
                    assertThat(listener.accept()).isPresent();
                    assertThat(link.peer()).endsWith(":" + listener.address().getPort());
                }
            }
        }
    }

    @Test
    void saysWhereItCannotListen() throws Exception {
        try (TcpListener listener = listen(LinkOptions.DEFAULT)) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> Links.listen(listener.address(), identity, LinkOptions.DEFAULT, strays::add))
                    .withMessage(
                            "cannot listen on 127.0.0.1:" + listener.address().getPort() + ": Address already in use");
        }
    }

    @Test
    void closeWakesWhoWaitsForALink() throws Exception {
        TcpListener listener = listen(LinkOptions.DEFAULT);
        FutureTask<Optional<Link>> waiting =
                LinkContract.start(Thread.ofVirtual().factory(), listener::accept);
        listener.close();

        assertThat(LinkContract.await(waiting)).isEmpty();
        assertThat(listener.accept()).isEmpty();
    }

    @Test
    void choosesTheCongestionControlWhereItMay() throws Exception {
        LinkOptions reno = LinkOptions.DEFAULT.withCongestion(Optional.of("reno"));
        LinkOptions none = LinkOptions.DEFAULT.withCongestion(Optional.of("no-such-thing"));
        try (TcpListener listener = listen(reno);
                Link chosen = Links.dial("127.0.0.1", listener.address().getPort(), identity, reno);
                Link accepted = listener.accept().orElseThrow();
                Link refused = Links.dial("127.0.0.1", listener.address().getPort(), identity, none)) {
            LinkFacts system = refused.facts();

            assertThat(system.congestionChosen()).isFalse();
            // Reno is built into every kernel and offered to everybody.
            for (Link link : List.of(chosen, accepted)) {
                assertThat(link.facts().congestion())
                        .isEqualTo(system.congestion().map(_ -> "reno"));
                assertThat(link.facts().cipher()).isPresent();
            }
        }
    }
}
