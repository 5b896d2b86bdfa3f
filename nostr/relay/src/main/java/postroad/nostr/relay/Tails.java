package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/// The shared bytes of live events that readers have not taken yet, so that they are counted once however
/// many wait for them. Owned by one loop.
final class Tails {
    private final ByteBudget output;
    private final List<ByteBuf> kept = new ArrayList<>();

    /// @param output what waits for readers takes
    Tails(ByteBudget output) {
        this.output = output;
    }

    /// Takes over the last hold on `tail` that is no reader's.
    void keep(ByteBuf tail) {
        output.add(tail.capacity());
        kept.add(tail);
    }

    /// Gives up what no reader waits for any more.
    void sweep() {
        if (!kept.isEmpty()) {
            kept.removeIf(this::giveUpIfUnused);
        }
    }

    private boolean giveUpIfUnused(ByteBuf tail) {
        if (tail.refCnt() > 1) {
            return false;
        }
        output.add(-tail.capacity());
        tail.release();
        return true;
    }
}
