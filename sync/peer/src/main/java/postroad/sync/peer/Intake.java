package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.Optional;
import postroad.sync.core.Frame;

/// Work of the receiver that waits for a worker: blocks of content, and recipes. Bounded by the window of content.
/// Thread-safe.
final class Intake {
    /// Something for a worker.
    sealed interface Work {
        /// A block of content; its buffer goes back to the pool.
        record Block(Frame.Content content, int length) implements Work {}

        /// A file's recipe: find what is here.
        record Describe(Incoming file, Incoming.Described recipe) implements Work {}
    }

    private final ArrayDeque<Work> blocks = new ArrayDeque<>();
    private final ArrayDeque<Work> recipes = new ArrayDeque<>();
    private int busy;
    private boolean ended;
    private Runnable whenDry = () -> {};

    /// Called by the worker that finds nothing left to do, while nobody else works.
    synchronized void whenDry(Runnable action) {
        whenDry = action;
    }

    synchronized void add(Work work) {
        switch (work) {
            case Work.Block block -> blocks.addLast(block);
            case Work.Describe describe -> {
                if (!ended) {
                    recipes.addLast(describe);
                }
            }
        }
        notifyAll();
    }

    /// The next work, waiting for it; empty when none comes any more. [#done] ends it.
    synchronized Optional<Work> take(boolean recipesFirst) throws InterruptedException {
        while (!ended && blocks.isEmpty() && recipes.isEmpty()) {
            wait();
        }
        if (blocks.isEmpty() && recipes.isEmpty()) {
            return Optional.empty();
        }
        busy++;
        ArrayDeque<Work> first = recipesFirst ? recipes : blocks;
        return Optional.of(first.isEmpty() ? (recipesFirst ? blocks : recipes).removeFirst() : first.removeFirst());
    }

    /// What was taken is done.
    void done() {
        Runnable dry = null;
        synchronized (this) {
            busy--;
            if (busy == 0 && blocks.isEmpty() && recipes.isEmpty()) {
                dry = whenDry;
            }
        }
        if (dry != null) {
            dry.run();
        }
    }

    /// Whether nothing waits and nobody works.
    synchronized boolean isDry() {
        return busy == 0 && blocks.isEmpty() && recipes.isEmpty();
    }

    /// Nothing more comes: recipes need no looking at any more, but content that has arrived is still staged.
    synchronized void end() {
        ended = true;
        recipes.clear();
        notifyAll();
    }
}
