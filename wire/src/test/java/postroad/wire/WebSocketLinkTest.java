package postroad.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketLinkTest {
    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 125, 126, 127, 65_535, 65_536, 300_000})
    void carriesTextOfEveryLengthFormBothWays(int length) throws Exception {
        byte[] text = new byte[length];
        new Random(length).nextBytes(text);
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    ScriptedServer.Frame frame = peer.readFrame();
                    peer.sendFrame(frame.first(), frame.payload());
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            link.send(text, 0, text.length);

            assertThat(link.receive())
                    .isInstanceOfSatisfying(
                            LinkMessage.Text.class,
                            message -> assertThat(message.utf8()).isEqualTo(text));
        }
    }

    @Test
    void sendsThePartOfAnArrayThatIsNamed() throws Exception {
        List<String> got = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
            peer.upgrade();
            got.add(peer.readFrame().text());
        })) {
            try (var link = WebSocketLink.open(server.url(), OPTIONS)) {
                link.send("0123456789".getBytes(UTF_8), 2, 7);
            }
            server.join();
        }

        assertThat(got).containsExactly("23456");
    }

    @Test
    void usesAFreshMaskForEachFrame() throws Exception {
        List<Integer> masks = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
            peer.upgrade();
            for (int i = 0; i < 600; i++) {
                peer.in.readShort();
                masks.add(peer.in.readInt());
                peer.in.readByte();
            }
        })) {
            try (var link = WebSocketLink.open(server.url(), OPTIONS)) {
                for (int i = 0; i < 600; i++) {
                    link.send("x");
                }
            }
            server.join();
        }

        assertThat(masks).doesNotHaveDuplicates();
    }

    @Test
    void namesHostAndHeadersInItsRequest() throws Exception {
        List<String> requests = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> requests.add(peer.upgrade()))) {
            var url = WebSocketUrl.parse("ws://127.0.0.1:" + server.port() + "/sub?x=1");
            WebSocketLink.open(url, OPTIONS.withHeaders(Map.of("X-Forwarded-For", "192.0.2.7")))
                    .close();
            server.join();

            assertThat(requests.getFirst())
                    .startsWith("GET /sub?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n")
                    .contains("Sec-WebSocket-Version: 13\r\n")
                    .contains("X-Forwarded-For: 192.0.2.7\r\n")
                    .doesNotContain("Sec-WebSocket-Extensions");
        }
    }

    @Test
    void refusesHeadersThatWouldBreakTheRequest() {
        assertThatThrownBy(() -> OPTIONS.withHeaders(Map.of("A", "b\r\nEvil: c")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void joinsFragmentsWithControlFramesBetween() throws Exception {
        List<ScriptedServer.Frame> answers = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.sendFrame(0x01, "Hel".getBytes(UTF_8));
                    peer.sendFrame(0x89, "are you there".getBytes(UTF_8));
                    peer.sendFrame(0x00, "l".getBytes(UTF_8));
                    peer.sendFrame(0x80, "o".getBytes(UTF_8));
                    answers.add(peer.readFrame());
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            LinkMessage message = link.receive();
            server.join();

            assertThat(((LinkMessage.Text) message).utf8()).asString(UTF_8).isEqualTo("Hello");
            assertThat(answers.getFirst().first()).isEqualTo(0x8a);
            assertThat(answers.getFirst().text()).isEqualTo("are you there");
        }
    }

    @Test
    void tellsBinaryFromText() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.sendFrame(0x82, new byte[] {1, 2});
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            assertThat(link.receive()).isInstanceOf(LinkMessage.Binary.class);
        }
    }

    @Test
    void readsFramesThatCameWithTheHandshakesAnswer() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
                    String key = peer.readRequest()
                            .lines()
                            .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                            .map(line -> line.substring(19))
                            .findFirst()
                            .orElseThrow();
                    peer.send(
                            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nCONNECTION: keep-alive, Upgrade\r\n"
                                    + "Sec-WebSocket-Accept: " + Handshake.accept(key) + "\r\n\r\n\u0081\u0002hi");
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            assertThat(((LinkMessage.Text) link.receive()).utf8())
                    .asString(UTF_8)
                    .isEqualTo("hi");
        }
    }

    @Test
    void losesNothingToAReadTimeOutInTheMiddleOfAFrame() throws Exception {
        CountDownLatch timedOut = new CountDownLatch(1);
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    byte[] frame = ScriptedServer.Peer.frame(0x81, "late".getBytes(UTF_8));
                    peer.out.write(frame, 0, 3);
                    timedOut.await();
                    peer.out.write(frame, 3, frame.length - 3);
                });
                var link = WebSocketLink.open(server.url(), OPTIONS.withReadTimeout(Duration.ofMillis(30)))) {
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(link::receive);
            timedOut.countDown();

            assertThat(((LinkMessage.Text) receivePatiently(link)).utf8())
                    .asString(UTF_8)
                    .isEqualTo("late");
        }
    }

    private static LinkMessage receivePatiently(WebSocketLink link) {
        LinkMessage message = null;
        while (message == null) {
            try {
                message = link.receive();
            } catch (SocketTimeoutException e) {
                message = null;
            }
        }
        return message;
    }

    @Test
    void answersACloseAndPassesItsCodeOn() throws Exception {
        List<ScriptedServer.Frame> answers = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.sendFrame(
                            0x88, "\u0003\u00e9going away".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                    answers.add(peer.readFrame());
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            LinkMessage first = link.receive();
            server.join();

            assertThat(first).isEqualTo(new LinkMessage.Closed(1001, "going away"));
            assertThat(link.receive()).isEqualTo(first);
            assertThat(answers.getFirst().first()).isEqualTo(0x88);
            assertThat(answers.getFirst().closeCode()).isEqualTo(1001);
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> link.send("too late"))
                    .withMessageContaining("is closed");
        }
    }

    @Test
    void saysGoodbyeWhenClosed() throws Exception {
        List<ScriptedServer.Frame> got = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
            peer.upgrade();
            got.add(peer.readFrame());
            peer.sendFrame(0x88, got.getFirst().payload());
        })) {
            WebSocketLink.open(server.url(), OPTIONS).close();
            server.join();
        }

        assertThat(got.getFirst().first()).isEqualTo(0x88);
        assertThat(got.getFirst().closeCode()).isEqualTo(1000);
    }

    @Test
    void aCloseByAnotherThreadEndsTheReceiver() throws Exception {
        CountDownLatch stay = new CountDownLatch(1);
        try (var server = ScriptedServer.start(peer -> {
            peer.upgrade();
            stay.await();
        })) {
            var link = WebSocketLink.open(server.url(), OPTIONS);
            var received = new java.util.concurrent.CompletableFuture<LinkMessage>();
            Thread receiver = Thread.ofVirtual().start(() -> {
                try {
                    received.complete(link.receive());
                } catch (SocketTimeoutException e) {
                    received.completeExceptionally(e);
                }
            });
            link.close();
            receiver.join();
            stay.countDown();

            assertThat(received.join()).isInstanceOf(LinkMessage.Closed.class);
        }
    }

    @Test
    void reportsAPeerThatJustGoesAway() throws Exception {
        try (var server = ScriptedServer.start(ScriptedServer.Peer::upgrade);
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            assertThat(link.receive())
                    .isInstanceOfSatisfying(
                            LinkMessage.Closed.class,
                            closed -> assertThat(closed.code()).isEqualTo(1006));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c1 00", // reserved bit
                "81 81 00 00 00 00 41", // masked
                "83 00", // unknown opcode
                "09 00", // fragmented ping
                "89 7e 00 7e", // long ping
                "80 00", // continuation of nothing
                "01 01 41 01 01 41", // a message begun in another
                "88 01 03", // close of one byte
            })
    void endsTheLinkWhenThePeerBreaksTheProtocol(String frames) throws Exception {
        List<ScriptedServer.Frame> answers = new ArrayList<>();
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.out.write(java.util.HexFormat.ofDelimiter(" ").parseHex(frames));
                    answers.add(peer.readFrame());
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            LinkMessage message = link.receive();
            server.join();

            assertThat(message)
                    .isInstanceOfSatisfying(
                            LinkMessage.Closed.class,
                            closed -> assertThat(closed.code()).isEqualTo(1002));
            assertThat(answers.getFirst().closeCode()).isEqualTo(1002);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"81 7e 03 e9", "81 7f 00 00 00 01 00 00 00 00", "81 7f ff ff ff ff ff ff ff ff"})
    void refusesAMessageOverTheBoundBeforeReadingIt(String header) throws Exception {
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.out.write(java.util.HexFormat.ofDelimiter(" ").parseHex(header));
                    peer.readFrame();
                });
                var link = WebSocketLink.open(server.url(), OPTIONS.withMaxMessageBytes(1000))) {
            assertThat(link.receive())
                    .isEqualTo(new LinkMessage.Closed(1009, "the peer sent a message of more than 1000 bytes"));
        }
    }

    @Test
    void boundsAMessageOverAllItsFragments() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.sendFrame(0x01, new byte[600]);
                    peer.sendFrame(0x80, new byte[600]);
                    peer.readFrame();
                });
                var link = WebSocketLink.open(server.url(), OPTIONS.withMaxMessageBytes(1000))) {
            assertThat(((LinkMessage.Closed) link.receive()).code()).isEqualTo(1009);
        }
    }

    @Test
    void showsTheStatusOfAServerThatIsNoWebSocket() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            peer.readRequest();
            peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 12\r\n\r\nmembers only");
        })) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), OPTIONS))
                    .withMessage("127.0.0.1:" + server.port()
                            + " answered HTTP 403 Forbidden instead of opening a WebSocket: members only");
        }
    }

    @Test
    void showsWhereARedirectPoints() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            peer.readRequest();
            peer.send("HTTP/1.1 301 Moved Permanently\r\nLocation: https://other.example/\r\n\r\n");
        })) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), OPTIONS))
                    .withMessageContaining("HTTP 301 Moved Permanently")
                    .withMessageContaining("https://other.example/");
        }
    }

    @Test
    void refusesAnAnswerToAnotherHandshake() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            peer.readRequest();
            peer.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + Handshake.accept("another") + "\r\n\r\n");
        })) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), OPTIONS))
                    .withMessageContaining("Sec-WebSocket-Accept");
        }
    }

    @Test
    void refusesAServerThatSpeaksSomethingElse() throws Exception {
        try (var server = ScriptedServer.start(peer -> peer.send("SSH-2.0-OpenSSH_9.2\r\n"))) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), OPTIONS))
                    .withMessageContaining("does not speak HTTP");
        }
    }

    @Test
    void boundsTheHeadOfAnAnswer() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            peer.send("HTTP/1.1 101 Switching\r\n");
            while (true) {
                peer.send("X: 0123456789012345678901234567890123456789\r\n");
            }
        })) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> WebSocketLink.open(server.url(), OPTIONS))
                    .withMessageContaining("more than 16384 bytes");
        }
    }

    @Test
    void givesUpOnAServerThatDripsItsAnswer() throws Exception {
        try (var server = ScriptedServer.start(peer -> {
            while (true) {
                peer.send("H");
                Thread.sleep(20);
            }
        })) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() ->
                            WebSocketLink.open(server.url(), OPTIONS.withHandshakeTimeout(Duration.ofMillis(200))))
                    .withMessageContaining("within 200 ms");
        }
    }

    @Test
    void saysThatNothingListens() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        assertThatExceptionOfType(LinkException.class)
                .isThrownBy(() -> WebSocketLink.open(WebSocketUrl.parse("ws://127.0.0.1:" + port), OPTIONS))
                .withMessage("cannot connect to 127.0.0.1:" + port + ": connection refused, nothing listens there");
    }

    @Test
    void saysThatANameDoesNotResolve() {
        assertThatExceptionOfType(LinkException.class)
                .isThrownBy(() -> WebSocketLink.open(WebSocketUrl.parse("ws://no-such-host.invalid"), OPTIONS))
                .withMessageContaining("cannot find the host no-such-host.invalid");
    }

    @Test
    void triesTheOtherAddressFamilyOfAName() throws Exception {
        // localhost is ::1 and 127.0.0.1 on most machines; the server listens on the second only.
        try (var server = ScriptedServer.start(ScriptedServer.Peer::upgrade)) {
            var url = WebSocketUrl.parse("ws://localhost:" + server.port());

            WebSocketLink.open(url, OPTIONS).close();

            server.join();
        }
    }

    @Test
    void aSlowSenderDoesNotKeepPingsUnanswered() throws Exception {
        byte[] big = new byte[8 << 20];
        List<ScriptedServer.Frame> got = new ArrayList<>();
        CountDownLatch pinged = new CountDownLatch(1);
        try (var server = ScriptedServer.start(peer -> {
                    peer.upgrade();
                    peer.sendFrame(0x89, new byte[] {7});
                    peer.sendText("the ping was read");
                    pinged.await();
                    got.add(peer.readFrame());
                    got.add(peer.readFrame());
                });
                var link = WebSocketLink.open(server.url(), OPTIONS)) {
            // The server reads nothing until it is told that the client has seen the ping: the sender is stuck.
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    link.send(big, 0, big.length);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertThat(((LinkMessage.Text) link.receive()).utf8())
                    .asString(UTF_8)
                    .isEqualTo("the ping was read");
            pinged.countDown();
            sender.join();
            server.join();

            assertThat(got).extracting(ScriptedServer.Frame::first).containsExactlyInAnyOrder(0x81, 0x8a);
        }
    }
}
