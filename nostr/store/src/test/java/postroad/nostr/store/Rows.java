package postroad.nostr.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import postroad.nostr.core.PackedEvent;

/// Keeps the rows it is handed, as text. Asks to pause after every `pauseEvery` rows.
final class Rows implements RowSink {
    private final int pauseEvery;
    private final List<String> json = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final List<Long> sequences = new ArrayList<>();

    Rows() {
        this(Integer.MAX_VALUE);
    }

    Rows(int pauseEvery) {
        this.pauseEvery = pauseEvery;
    }

    @Override
    public boolean row(MemorySegment base, long at, int length, long sequence) {
        int offset = PackedEvent.jsonOffset(base, at);
        byte[] bytes = new byte[length - offset];
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, at + offset, bytes, 0, bytes.length);
        json.add(new String(bytes, UTF_8));
        ids.add(PackedEvent.id(base, at).hex());
        sequences.add(sequence);
        return json.size() % pauseEvery != 0;
    }

    List<String> json() {
        return json;
    }

    List<String> ids() {
        return ids;
    }

    List<Long> sequences() {
        return sequences;
    }
}
