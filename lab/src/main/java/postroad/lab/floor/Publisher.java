package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import postroad.nostr.core.ClientMessages;
import postroad.nostr.core.Event;

/// Publishes events over one connection with a given number of them in flight. Owned by one thread.
final class Publisher implements AutoCloseable {
    private static final byte[] OK = "[\"OK\",\"".getBytes(US_ASCII);
    private static final int LARGEST_WRITE = 64 << 10;

    private final LeanClient client;
    private int refused;
    private int duplicates;
    private String lastRefusal = "";

    Publisher(InetSocketAddress address) throws IOException {
        client = LeanClient.open(address);
    }

    /// An event's message as a frame.
    static byte[] frame(Event event) {
        return LeanClient.frame(ClientMessages.event(event));
    }

    /// Publishes all, never more than `window` without an OK; returns nanoseconds from the first byte out to
    /// the last OK.
    ///
    /// @param each is given the nanoseconds of each event from its write to its OK
    long publish(List<byte[]> frames, List<Event> events, int window, LongConsumer each) throws IOException {
        Map<Long, Long> sentAt = new HashMap<>(2 * window);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int sent = 0;
        int answered = 0;
        long begin = System.nanoTime();
        while (answered < frames.size()) {
            while (sent < frames.size() && sent - answered < window) {
                out.reset();
                long now = System.nanoTime();
                while (sent < frames.size() && sent - answered < window && out.size() < LARGEST_WRITE) {
                    out.writeBytes(frames.get(sent));
                    sentAt.put(key(events.get(sent)), now);
                    sent++;
                }
                client.send(out.toByteArray());
            }
            do {
                client.read();
                if (client.startsWith(OK)) {
                    Long at = sentAt.remove(client.idAt(OK.length));
                    if (at == null) {
                        throw new IOException("an OK for an event that was not sent: " + client.text());
                    }
                    each.accept(System.nanoTime() - at);
                    answered++;
                    judge();
                }
            } while (client.hasMore());
        }
        return System.nanoTime() - begin;
    }

    /// How many were not accepted.
    int refused() {
        return refused;
    }

    /// How many the relay had before.
    int duplicates() {
        return duplicates;
    }

    /// The reason of the last that was not accepted.
    String lastRefusal() {
        return lastRefusal;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    private static long key(Event event) {
        return Long.parseUnsignedLong(event.id().hex().substring(0, 16), 16);
    }

    private void judge() {
        String text = client.text();
        if (text.contains("\",false")) {
            refused++;
            lastRefusal = text;
        } else if (text.contains("\"duplicate:")) {
            duplicates++;
        }
    }
}
