package postroad.lab.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// What well-behaved clients say, seeded: the beginning of all bad input.
public final class GoodMessages {
    private GoodMessages() {}

    /// `count` messages of every verb, about a corpus that half of them publish.
    public static List<String> of(long seed, int count) {
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>(Corpus.tangle(seed).take(count / 2));
        events.addAll(Corpus.traffic(seed).take(count / 10));
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Event event = events.get(random.nextInt(events.size()));
            messages.add(message(random, event));
        }
        return List.copyOf(messages);
    }

    private static String message(Random random, Event event) {
        String subscription = "\"s" + random.nextInt(5) + "\"";
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> "[\"EVENT\"," + event.json() + "]";
            case 4 -> "[\"COUNT\"," + subscription + "," + filter(random, event) + "]";
            case 5 -> "[\"CLOSE\"," + subscription + "]";
            case 6 -> "[\"AUTH\"," + event.json() + "]";
            case 7 -> "[\"REQ\"," + subscription + "," + filter(random, event) + "," + filter(random, event) + "]";
            default -> "[\"REQ\"," + subscription + "," + filter(random, event) + "]";
        };
    }

    private static String filter(Random random, Event event) {
        String limit = ",\"limit\":" + random.nextInt(20) + "}";
        return switch (random.nextInt(7)) {
            case 0 -> "{\"ids\":[\"" + event.id().hex() + "\"]" + limit;
            case 1 -> "{\"authors\":[\"" + event.author().hex() + "\"],\"kinds\":[0,1,3]" + limit;
            case 2 -> "{\"kinds\":[" + event.kind() + "]" + limit;
            case 3 -> "{\"#p\":[\"" + event.author().hex() + "\"]" + limit;
            case 4 -> "{\"#t\":[\"road\",\"caf\u00e9\"],\"since\":" + (event.createdAt() - 5) + limit;
            case 5 -> "{\"&t\":[\"road\"],\"until\":" + event.createdAt() + limit;
            default -> "{\"since\":0" + limit;
        };
    }
}
