package postroad.app;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import postroad.sync.folder.Item;
import postroad.sync.peer.Names;

/// Walks ahead of whoever asks for names, on a thread of its own: while the connection is still being made, say.
final class AheadNames implements Names, AutoCloseable {
    private static final int AHEAD = 16_384;

    private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(AHEAD);
    private final Thread thread;

    /// One step of the walk.
    private sealed interface Step {
        record Name(Item item) implements Step {}

        record Fault(Throwable cause) implements Step {}
    }

    /// Begins to walk.
    AheadNames(Names names) {
        thread = Thread.ofPlatform().daemon().name("walk").start(() -> walk(names));
    }

    private void walk(Names names) {
        try {
            Item item;
            do {
                item = names.next();
                steps.put(new Step.Name(item));
            } while (!(item instanceof Item.End));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            steps.clear();
            boolean _ = steps.offer(new Step.Fault(e));
        }
    }

    @Override
    public Item next() throws InterruptedException {
        return switch (steps.take()) {
            case Step.Name(Item item) -> item;
            case Step.Fault(Throwable cause) -> throw new IllegalStateException("the walk broke off", cause);
        };
    }

    /// Walks no further, and waits until nothing is looked at any more.
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
