package postroad.lab.floor;

import java.util.ArrayList;
import java.util.List;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// Notes of one author, fresh from a corpus: some to publish one by one, some all at once.
record FanOutEvents(String author, List<Event> single, List<Event> burst) {
    /// Takes so many of each; the notes of other authors between them are left out.
    static FanOutEvents take(Corpus fresh, int burst, int single) {
        Event first = fresh.next();
        List<Event> events = new ArrayList<>(List.of(first));
        while (events.size() < burst + single) {
            Event event = fresh.next();
            if (event.author().hex().equals(first.author().hex())) {
                events.add(event);
            }
        }
        return new FanOutEvents(
                first.author().hex(),
                List.copyOf(events.subList(0, single)),
                List.copyOf(events.subList(single, single + burst)));
    }
}
