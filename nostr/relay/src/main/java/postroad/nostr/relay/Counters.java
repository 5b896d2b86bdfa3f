package postroad.nostr.relay;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import postroad.nostr.core.Prefix;

/// What the relay counts about itself. Any thread may call.
final class Counters {
    /// What a client can send.
    enum Verb {
        EVENT,
        REQ,
        COUNT,
        CLOSE,
        AUTH,
        OTHER
    }

    final LongAdder opened = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder accepted = new LongAdder();
    final LongAdder duplicates = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder slowReadersCut = new LongAdder();
    final LongAdder ephemeralDropped = new LongAdder();

    private final Map<Verb, LongAdder> messages = new EnumMap<>(Verb.class);
    private final Map<Prefix, LongAdder> refused = new EnumMap<>(Prefix.class);

    Counters() {
        for (Verb verb : Verb.values()) {
            messages.put(verb, new LongAdder());
        }
        for (Prefix prefix : Prefix.values()) {
            refused.put(prefix, new LongAdder());
        }
    }

    void received(Verb verb) {
        messages.get(verb).increment();
    }

    void refused(Prefix prefix) {
        refused.get(prefix).increment();
    }

    /// Counts a refusal by the prefix its text begins with.
    void refused(String reason) {
        for (Prefix prefix : refused.keySet()) {
            if (reason.startsWith(prefix.word())) {
                refused(prefix);
                return;
            }
        }
        refused(Prefix.ERROR);
    }

    /// The figures as they are now.
    RelayStats stats() {
        return new RelayStats(
                opened.sum() - closed.sum(),
                opened.sum(),
                messages.entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> entry.getKey().name(),
                                entry -> entry.getValue().sum())),
                accepted.sum(),
                duplicates.sum(),
                refused.entrySet().stream()
                        .collect(Collectors.toMap(
                                entry -> entry.getKey().word(),
                                entry -> entry.getValue().sum())),
                delivered.sum(),
                slowReadersCut.sum(),
                ephemeralDropped.sum());
    }
}
