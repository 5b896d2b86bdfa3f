package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// From an event's OK on one connection until another connection is given it.
final class Visibility {
    static final String ROW = "OK to visible on another connection";

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private Visibility() {}

    /// Publishes one event after another, and asks for each from the moment of its OK on.
    ///
    /// @return for each relay, how many were found by the first question
    static List<Integer> measure(Grid grid, List<Target> targets, Corpus fresh, int rounds, int each)
            throws IOException {
        int[] atOnce = new int[targets.size()];
        List<Target> order = new ArrayList<>(targets);
        for (int round = 0; round < rounds; round++) {
            List<Event> events = fresh.take(each);
            for (Target target : order) {
                atOnce[targets.indexOf(target)] += one(grid, target, events);
            }
            Collections.reverse(order);
        }
        return Arrays.stream(atOnce).boxed().toList();
    }

    private static int one(Grid grid, Target target, List<Event> events) throws IOException {
        int atOnce = 0;
        try (Publisher publisher = new Publisher(target.address());
                LeanClient other = LeanClient.open(target.address())) {
            for (Event event : events) {
                Ask ask = Ask.req("{\"ids\":[\"" + event.id().hex() + "\"]}");
                List<byte[]> frame = List.of(Publisher.frame(event));
                publisher.publish(frame, List.of(event), 1, nanos -> {});
                if (publisher.refused() > 0) {
                    throw new IOException(target.name() + " refused an event: " + publisher.lastRefusal());
                }
                long begin = System.nanoTime();
                int asked = 1;
                while (ask.answer(other).ids().isEmpty()) {
                    asked++;
                    if (System.nanoTime() - begin > PATIENCE) {
                        throw new IOException(target.name() + " does not give an event that it said OK to");
                    }
                }
                grid.record(ROW, target.name(), System.nanoTime() - begin);
                atOnce += asked == 1 ? 1 : 0;
            }
        }
        return atOnce;
    }
}
