package postroad.lab.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// Mistreats a relay, connection after connection, each in a way that its seed decides.
///
/// Where the framing is right, the relay owes an answer however wrong the message is: after each burst a
/// good REQ is asked, and must be answered, unless the relay closed the connection with a code and a
/// reason. Whatever it says must be one of its own words, as JSON.
public final class Fuzzer {
    private static final Set<String> WORDS =
            Set.of("EVENT", "OK", "EOSE", "CLOSED", "NOTICE", "AUTH", "COUNT", "NEG-ERR");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Way> WAYS = List.of(Way.values());

    private final InetSocketAddress address;
    private final List<String> messages;
    private final Map<Way, Integer> rounds = new EnumMap<>(Way.class);
    private long probes;

    /// Fuzzes the relay at `address`; `messages` are good ones to begin with.
    public Fuzzer(InetSocketAddress address, List<String> messages) {
        this.address = address;
        this.messages = List.copyOf(messages);
    }

    /// How one connection mistreats the relay.
    private enum Way {
        GARBAGE_INSTEAD_OF_HANDSHAKE,
        BAD_HANDSHAKE,
        GARBAGE_AFTER_HANDSHAKE,
        BAD_FRAMES,
        BAD_MESSAGES,
        FRAGMENTS,
        DEFLATED_MESSAGES,
        BAD_DEFLATE,
        GOOD_MESSAGES_AND_A_RESET,
        DRIBBLE
    }

    /// What was done.
    ///
    /// @param connections connections made
    /// @param probes good questions asked after bad input, each answered
    /// @param rounds connections by what they did
    public record Report(long connections, long probes, String rounds) {}

    /// Goes on for `time`, or for `most` connections. A failure names the seed of its connection, with which
    /// [#once] repeats it.
    ///
    /// @throws IllegalStateException when the relay did what it must not
    public Report run(long seed, Duration time, long most) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long connections = 0;
        try (Neighbour neighbour = Neighbour.begin(address)) {
            while (System.nanoTime() < end && connections < most) {
                once(seed + connections);
                connections++;
                if (connections % 50 == 0) {
                    neighbour.demandAnswer();
                }
            }
            neighbour.demandAnswer();
        }
        return new Report(connections, probes, rounds.toString());
    }

    /// One connection.
    public void once(long seed) {
        Random random = new Random(seed);
        Way way = WAYS.get(random.nextInt(WAYS.size()));
        rounds.merge(way, 1, Integer::sum);
        try (RawConnection connection = RawConnection.connect(address)) {
            mistreat(connection, way, random);
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException("fuzzing with seed " + seed + " (" + way + "): " + e.getMessage(), e);
        }
    }

    private void mistreat(RawConnection connection, Way way, Random random) throws IOException {
        Mutator mutator = new Mutator(random, messages);
        switch (way) {
            case GARBAGE_INSTEAD_OF_HANDSHAKE -> sendCarelessly(connection, mutator.garbage(5_000));
            case BAD_HANDSHAKE -> {
                sendCarelessly(connection, mutator.badHandshake(connection.handshake()));
                sendCarelessly(connection, mutator.garbage(500));
            }
            case GARBAGE_AFTER_HANDSHAKE -> {
                connection.shakeHands();
                sendCarelessly(connection, mutator.garbage(20_000));
            }
            case BAD_FRAMES -> {
                connection.shakeHands();
                for (int i = random.nextInt(8); i >= 0; i--) {
                    sendCarelessly(connection, mutator.badFrame());
                }
            }
            case BAD_MESSAGES -> {
                connection.shakeHands();
                for (int i = random.nextInt(20); i >= 0; i--) {
                    Frame frame = new Frame(Frame.FIN | Frame.TEXT, ByteBuffer.wrap(mutator.badMessage()));
                    sendCarelessly(connection, frame.bytes(random.nextInt() | 1));
                }
                probe(connection);
            }
            case FRAGMENTS -> {
                connection.shakeHands();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    sendCarelessly(connection, mutator.fragments());
                }
                probe(connection);
            }
            case DEFLATED_MESSAGES -> {
                connection.shakeHandsDeflating();
                for (int i = random.nextInt(20); i >= 0; i--) {
                    sendCarelessly(connection, mutator.deflatedMessage());
                }
                probe(connection, true);
            }
            case BAD_DEFLATE -> {
                connection.shakeHandsDeflating();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    sendCarelessly(connection, random.nextBoolean() ? mutator.badDeflate() : mutator.deflatedMessage());
                }
                probe(connection, true);
            }
            case GOOD_MESSAGES_AND_A_RESET -> {
                connection.shakeHands();
                for (int i = random.nextInt(40); i >= 0; i--) {
                    sendCarelessly(connection, Frame.text(mutator.message()).bytes(random.nextInt() | 1));
                }
                if (random.nextBoolean()) {
                    probe(connection);
                }
                connection.reset();
            }
            case DRIBBLE -> {
                connection.shakeHands();
                byte[] bytes = mutator.fragments();
                for (int at = 0; at < bytes.length; ) {
                    int length = Math.min(bytes.length - at, 1 + random.nextInt(40));
                    sendCarelessly(connection, Arrays.copyOfRange(bytes, at, at + length));
                    at += length;
                }
                probe(connection);
            }
        }
    }

    /// Sends; the relay may have closed by now, which is its right.
    private static void sendCarelessly(RawConnection connection, byte[] bytes) {
        try {
            connection.send(bytes);
        } catch (IOException e) {
            // Closed by the relay after earlier bad input: what it said is read afterwards.
        }
    }

    private void probe(RawConnection connection) throws IOException {
        probe(connection, false);
    }

    private void probe(RawConnection connection, boolean deflating) throws IOException {
        String subscription = "probe-" + probes++;
        sendCarelessly(
                connection,
                Frame.text("[\"REQ\",\"" + subscription + "\",{\"limit\":0}]").bytes(1));
        while (true) {
            Optional<Frame> frame = connection.readMessage();
            if (frame.isEmpty()) {
                throw new IllegalStateException("the relay hung up without a close frame");
            }
            if (frame.get().opcode() == Frame.CLOSE) {
                demandReason(frame.get());
                return;
            }
            if (isAnswer(frame.get(), subscription, deflating)) {
                return;
            }
        }
    }

    private static void demandReason(Frame close) {
        if (close.closeCode().isEmpty() || close.closeReason().isEmpty()) {
            throw new IllegalStateException("the relay closed without a code or a reason: " + close.closeCode());
        }
    }

    private static boolean isAnswer(Frame frame, String subscription, boolean deflating) {
        byte[] bytes = message(frame, deflating);
        JsonNode message = parsed(bytes);
        if (!message.isArray() || !WORDS.contains(message.path(0).asText())) {
            throw new IllegalStateException("the relay said " + new String(bytes, UTF_8));
        }
        return message.path(1).asText().equals(subscription);
    }

    private static byte[] message(Frame frame, boolean deflating) {
        if (deflating && frame.head() == (Frame.FIN | Frame.RSV1 | Frame.TEXT)) {
            return Deflate.inflate(frame.payload());
        }
        if (frame.head() != (Frame.FIN | Frame.TEXT)) {
            throw new IllegalStateException("the relay sent a frame of kind " + Integer.toHexString(frame.head()));
        }
        byte[] bytes = new byte[frame.payload().remaining()];
        frame.payload().duplicate().get(bytes);
        return bytes;
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return JSON.readTree(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (JsonProcessingException | CharacterCodingException e) {
            throw new IllegalStateException("the relay sent what is not JSON: " + new String(bytes, UTF_8), e);
        }
    }
}
