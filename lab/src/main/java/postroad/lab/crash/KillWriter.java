package postroad.lab.crash;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import postroad.lab.fuzz.Frame;
import postroad.lab.fuzz.RawConnection;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.ModelStore;

/// One writer against a node that keeps being killed: publishes its own sequence of events, several in
/// flight, and remembers which were answered. Owned by one thread at a time.
///
/// Its keys are its own, so that what the node holds of it must be what the rules make of some prefix of
/// its sequence: at least all that was answered, at most all that was sent.
final class KillWriter {
    private static final int WINDOW = 48;
    private static final int IDS_PER_QUERY = 250;
    private static final Set<Integer> PRIVATE_KINDS = Set.of(4, 13, 1059, 21_059);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Corpus traffic;
    private final Corpus tangle;
    private final List<Event> events = new ArrayList<>();
    private final Set<String> answered = new HashSet<>();
    private final Runnable onAnswer;
    private int sent;
    private int survived;

    /// @param onAnswer called at each answer
    KillWriter(long seed, Runnable onAnswer) {
        this.onAnswer = onAnswer;
        traffic = Corpus.traffic(seed);
        tangle = Corpus.tangle(seed + 1);
    }

    /// How many events of the beginning of the sequence were answered.
    int acknowledged() {
        int count = 0;
        while (count < events.size() && answered.contains(events.get(count).id().hex())) {
            count++;
        }
        return count;
    }

    /// How many were found, at the last look, of those that were never answered.
    int survivedUnanswered() {
        return Math.max(0, survived - acknowledged());
    }

    /// Publishes until the connection breaks, beginning with what has no answer yet.
    ///
    /// @throws IllegalStateException for an answer that the rules do not allow
    void writeUntilItBreaks(InetSocketAddress address) {
        int next = acknowledged();
        Deque<String> inFlight = new ArrayDeque<>();
        try (RawConnection connection = RawConnection.open(address)) {
            while (true) {
                while (inFlight.size() < WINDOW) {
                    Event event = event(next++);
                    sent = Math.max(sent, next);
                    inFlight.add(event.id().hex());
                    connection.sendText("[\"EVENT\"," + event.json() + "]");
                }
                Optional<Frame> message = connection.readMessage();
                if (message.isEmpty() || message.get().opcode() == Frame.CLOSE) {
                    return;
                }
                note(message.get().text(), inFlight);
            }
        } catch (IOException e) {
            // The node was killed: that is the trial.
        }
    }

    /// Compares what the node serves with the rules.
    ///
    /// @throws IllegalStateException when an acknowledged event is missing, torn, or one is served that
    ///     must not be
    void demandSurvival(InetSocketAddress address) throws IOException {
        Map<String, String> served = served(address);
        ModelStore model = new ModelStore(Set.of());
        int least = Math.max(acknowledged(), survived);
        events.subList(0, least).forEach(event -> model.write(event, StoreWriter.NOW));
        for (int prefix = least; prefix <= sent; prefix++) {
            if (content(model).equals(served)) {
                survived = prefix;
                return;
            }
            if (prefix < sent) {
                model.write(events.get(prefix), StoreWriter.NOW);
            }
        }
        throw new IllegalStateException("the node serves " + served.size()
                + " events, which is not what the rules make of the first " + least + " to " + sent + " sent");
    }

    private void note(String text, Deque<String> inFlight) throws JsonProcessingException {
        JsonNode answer = JSON.readTree(text);
        if (!answer.path(0).asText().equals("OK")) {
            return;
        }
        String id = answer.path(1).asText();
        if (!inFlight.remove(id)) {
            throw new IllegalStateException("an OK that nobody waits for: " + text);
        }
        String reason = answer.path(3).asText();
        if (!answer.path(2).asBoolean() && !reason.matches("(replaced|deleted|blocked|duplicate): .*")) {
            throw new IllegalStateException("a good event was refused: " + text);
        }
        answered.add(id);
        onAnswer.run();
    }

    private Map<String, String> served(InetSocketAddress address) throws IOException {
        Map<String, String> served = new TreeMap<>();
        try (RawConnection connection = RawConnection.open(address)) {
            for (int from = 0; from < sent; from += IDS_PER_QUERY) {
                int to = Math.min(sent, from + IDS_PER_QUERY);
                List<String> ids = events.subList(from, to).stream()
                        .map(event -> "\"" + event.id().hex() + "\"")
                        .toList();
                connection.sendText("[\"REQ\",\"all\",{\"ids\":[" + String.join(",", ids) + "]}]");
                readUntilEose(connection, served);
            }
        }
        return served;
    }

    private static void readUntilEose(RawConnection connection, Map<String, String> served) throws IOException {
        while (true) {
            String text = connection.awaitText("[\"E");
            if (text.startsWith("[\"EOSE\"")) {
                return;
            }
            int begin = text.indexOf('{');
            String json = text.substring(begin, text.length() - 1);
            served.put(JSON.readTree(json).path("id").asText(), json);
        }
    }

    private static Map<String, String> content(ModelStore model) {
        Map<String, String> content = new HashMap<>();
        model.rows().forEach(row -> content.put(row.event().id(), row.event().json()));
        return content;
    }

    private Event event(int index) {
        while (events.size() <= index) {
            Event event = events.size() % 2 == 0 ? traffic.next() : tangle.next();
            if (isPublic(event)) {
                events.add(event);
            }
        }
        return events.get(index);
    }

    /// Whether a stranger is served it, at any time.
    private static boolean isPublic(Event event) {
        return !PRIVATE_KINDS.contains(event.kind())
                && event.kind() / 10_000 != 2
                && event.expiration() == 0
                && !event.isProtected();
    }
}
