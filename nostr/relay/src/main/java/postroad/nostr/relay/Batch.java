package postroad.nostr.relay;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import postroad.nostr.core.Event;

/// What one write of the store means for the loops: the answers to clients, and the events for live
/// subscriptions. Given to every loop at once.
final class Batch {
    private final List<Submission.Published> answers;
    private final List<Accepted> accepted;
    private final AtomicInteger loopsLeft;
    private final Runnable whenDelivered;

    /// An event that live subscriptions may get.
    record Accepted(Event event, long sequence, boolean ephemeral) {}

    Batch(List<Submission.Published> answers, List<Accepted> accepted, int loops, Runnable whenDelivered) {
        this.answers = List.copyOf(answers);
        this.accepted = List.copyOf(accepted);
        this.loopsLeft = new AtomicInteger(loops);
        this.whenDelivered = whenDelivered;
    }

    /// Answers to the clients of all loops.
    List<Submission.Published> answers() {
        return answers;
    }

    /// In the order of their sequence.
    List<Accepted> accepted() {
        return accepted;
    }

    /// One loop is through.
    void delivered() {
        if (loopsLeft.decrementAndGet() == 0) {
            whenDelivered.run();
        }
    }
}
