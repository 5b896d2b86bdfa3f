package postroad.nostr.relay;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import postroad.nostr.core.Event;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.WriteOutcome;
import postroad.nostr.store.WriteResult;

/// Events on their way to the writer, which takes submissions in the order they were made.
sealed interface Submission {
    /// Whether the writer can take it.
    boolean isReady();

    /// What is to be written.
    List<VerifiedEvent> events();

    /// Bytes it holds on to.
    long bytes();

    /// One event of one client. The verifier sets the verdict, the writer the outcome; then it is the
    /// loop's again.
    final class Published implements Submission, Runnable {
        private final Session session;
        private final Event event;
        private final Writer writer;
        private volatile Optional<List<VerifiedEvent>> verdict = Optional.empty();
        private Optional<WriteOutcome> outcome = Optional.empty();

        Published(Session session, Event event, Writer writer) {
            this.session = session;
            this.event = event;
            this.writer = writer;
        }

        /// Checks the signature: the verifier's part.
        @Override
        public void run() {
            List<VerifiedEvent> genuine = List.of();
            try {
                genuine = VerifiedEvent.verify(event).map(List::of).orElse(List.of());
            } finally {
                verdict = Optional.of(genuine);
                writer.wake();
            }
        }

        @Override
        public boolean isReady() {
            return verdict.isPresent();
        }

        @Override
        public List<VerifiedEvent> events() {
            return verdict.orElseThrow();
        }

        @Override
        public long bytes() {
            return event.packedLength();
        }

        void decided(WriteOutcome decided) {
            outcome = Optional.of(decided);
        }

        Session session() {
            return session;
        }

        Event event() {
            return event;
        }

        /// What the store made of it; empty when the signature was wrong.
        Optional<WriteOutcome> outcome() {
            return outcome;
        }
    }

    /// A batch of the operator's. The result is given when every loop has delivered it.
    record Imported(List<VerifiedEvent> events, CompletableFuture<WriteResult> result, long bytes)
            implements Submission {
        /// Copies the list.
        public Imported {
            events = List.copyOf(events);
        }

        static Imported of(List<VerifiedEvent> events) {
            long bytes = 0;
            for (VerifiedEvent event : events) {
                bytes += event.event().packedLength();
            }
            return new Imported(events, new CompletableFuture<>(), bytes);
        }

        @Override
        public boolean isReady() {
            return true;
        }
    }
}
