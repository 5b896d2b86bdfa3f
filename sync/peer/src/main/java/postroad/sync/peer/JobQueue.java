package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.Optional;

/// The sender's work in order, for a few workers. Thread-safe; grows only with files that the receiver may want.
///
/// Descriptions and content are two lines: a worker has a favourite and takes from the other when its own is empty, so
/// that a long hash does not keep the link idle, nor a long transfer the receiver's answers.
final class JobQueue {
    private final ArrayDeque<Job> descriptions = new ArrayDeque<>();
    private final ArrayDeque<Job> content = new ArrayDeque<>();
    private boolean ended;

    /// Adds work at the end of its line.
    synchronized void add(Job job) {
        switch (job) {
            case Job.Describe describe -> descriptions.addLast(describe);
            case Job.Whole whole -> content.addLast(whole);
            // Comes last in the exchange of a file, so it goes first: the file is done the sooner.
            case Job.Chunks chunks -> content.addFirst(chunks);
        }
        notifyAll();
    }

    /// The next work, waiting for it; empty when none comes any more.
    synchronized Optional<Job> take(boolean descriptionsFirst) throws InterruptedException {
        while (!ended) {
            Optional<Job> job = poll(descriptionsFirst);
            if (job.isPresent()) {
                return job;
            }
            wait();
        }
        return Optional.empty();
    }

    /// The next work if it is content that can be had at once.
    synchronized Optional<Job> pollContent() {
        return ended ? Optional.empty() : Optional.ofNullable(content.pollFirst());
    }

    private Optional<Job> poll(boolean descriptionsFirst) {
        ArrayDeque<Job> first = descriptionsFirst ? descriptions : content;
        ArrayDeque<Job> second = descriptionsFirst ? content : descriptions;
        return Optional.ofNullable(first.isEmpty() ? second.pollFirst() : first.pollFirst());
    }

    /// Nobody needs any of it.
    synchronized void end() {
        ended = true;
        descriptions.clear();
        content.clear();
        notifyAll();
    }
}
