package postroad.nostr.relay;

import java.util.List;
import java.util.Optional;
import postroad.nostr.core.ClientMessage;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.WriteOutcome;

/// What one client asks and is answered: each message is read, decided and, when it is small, answered at
/// once.
///
/// Everything that is refused is answered with the caller's own id. Owned by the connection's loop.
final class Session {
    private static final String STOPPING = Prefix.ERROR.with("relay is shutting down");

    private final Relay relay;
    private final Loop loop;
    private final Connection connection;
    private final Outbox outbox;
    private final String client;
    private final Authentication authentication;
    private final Optional<TokenBucket> rate;
    private final Requests requests;
    private final Counts counts;
    private Viewer viewer;
    private long bytesInFlight;

    Session(Relay relay, Loop loop, Connection connection, Outbox outbox, String client, String host, boolean deflate) {
        this.relay = relay;
        this.loop = loop;
        this.connection = connection;
        this.outbox = outbox;
        this.client = client;
        this.authentication = new Authentication(relay.config().urls(), host);
        this.viewer = relay.stranger();
        this.requests = new Requests(relay, loop, connection, outbox, deflate);
        this.counts = new Counts(relay, loop, connection, outbox);
        int perSecond = relay.limits().requestsPerSecond();
        this.rate = perSecond == 0 ? Optional.empty() : Optional.of(new TokenBucket(perSecond, System.nanoTime()));
    }

    Loop loop() {
        return loop;
    }

    /// Bytes of this client's events that are not answered yet.
    long bytesInFlight() {
        return bytesInFlight;
    }

    /// Greets the client with a challenge, where keys are asked for.
    void open() {
        if (relay.config().auth() != AuthMode.OFF) {
            outbox.text(RelayMessages.auth(authentication.challenge()));
        }
    }

    /// Reads and answers one message.
    void message(byte[] bytes, int from, int to) {
        ClientMessage message = loop.parser().parse(bytes, from, to);
        relay.counters().received(verb(message));
        switch (message) {
            case ClientMessage.Publish(Event event) -> publish(event);
            case ClientMessage.PublishRefused(String id, String reason) -> refuseEvent(id, reason);
            case ClientMessage.Req(String id, List<Filter> filters) -> request(id, filters);
            case ClientMessage.Count(String id, List<Filter> filters) -> count(id, filters);
            case ClientMessage.QueryRefused(String id, String reason) -> refuseQuery(id, reason);
            case ClientMessage.Close(String id) -> end(id);
            case ClientMessage.Auth(Event event) -> authenticate(event);
            case ClientMessage.AuthRefused(String id, String reason) -> refuseEvent(id, reason);
            case ClientMessage.UnknownVerb(String verb, String id) -> unknown(verb, id);
            case ClientMessage.Unreadable(String reason) -> outbox.text(RelayMessages.notice(reason));
        }
    }

    /// The client's outbox has room again.
    void drained() {
        requests.drained();
    }

    /// The connection ends: nothing more is sent.
    void end() {
        requests.endAll();
        counts.endAll();
    }

    /// Tells the client that the relay stops.
    void closeAll() {
        requests.closeAll(STOPPING);
        counts.closeAll(STOPPING);
    }

    /// Looks at the clock.
    void tick() {
        counts.tick();
    }

    /// Something went wrong that must not.
    void fail(Throwable cause) {
        connection.fail(cause);
    }

    // ---- EVENT

    private void publish(Event event) {
        if (relay.isStopping()) {
            refuseEvent(event.id().hex(), STOPPING);
        } else if (!relay.addresses().tryEvent(client)) {
            refuseEvent(
                    event.id().hex(),
                    Prefix.RATE_LIMITED.with(
                            "at most " + relay.limits().eventsPerSecond() + " events a second from one address"));
        } else {
            switch (relay.policy().decide(event, authentication.keys())) {
                case EventPolicy.Decision.Refuse(Prefix prefix, String text) ->
                    refuseEvent(event.id().hex(), prefix.with(text));
                case EventPolicy.Decision.Accept() -> submitIfNew(event);
            }
        }
    }

    private void submitIfNew(Event event) {
        try (Snapshot snapshot = loop.reader().open()) {
            if (snapshot.contains(event.id())) {
                duplicate(event.id());
                return;
            }
        } catch (StoreException e) {
            refuseEvent(event.id().hex(), StoredPart.UNREADABLE);
            return;
        }
        bytesInFlight += event.packedLength();
        relay.verifiers().submit(new Submission.Published(this, event, relay.writer()));
    }

    /// The writer has decided: the event's one OK.
    void decided(Submission.Published published) {
        bytesInFlight -= published.bytes();
        EventId id = published.event().id();
        Optional<WriteOutcome> outcome = published.outcome();
        if (outcome.isEmpty()) {
            refuseEvent(id.hex(), Prefix.INVALID.with("bad signature"));
        } else {
            answer(id, outcome.get());
        }
        connection.touch();
    }

    private void answer(EventId id, WriteOutcome outcome) {
        switch (outcome) {
            case WriteOutcome.Stored(long sequence) -> accept(id);
            case WriteOutcome.Ephemeral(long sequence) -> accept(id);
            case WriteOutcome.Duplicate() -> duplicate(id);
            case WriteOutcome.Superseded() -> refuseEvent(id.hex(), Prefix.REPLACED.with("have newer event"));
            case WriteOutcome.Deleted() -> refuseEvent(id.hex(), Prefix.DELETED.with("user requested deletion"));
            case WriteOutcome.Vanished() ->
                refuseEvent(id.hex(), Prefix.BLOCKED.with("the author, or who it is for, has asked to vanish"));
            case WriteOutcome.Expired() -> refuseEvent(id.hex(), Prefix.INVALID.with("event expired"));
            case WriteOutcome.Failed(String reason) ->
                refuseEvent(id.hex(), reason.startsWith(Prefix.ERROR.word()) ? reason : Prefix.ERROR.with(reason));
        }
    }

    private void accept(EventId id) {
        relay.counters().accepted.increment();
        outbox.text(RelayMessages.ok(id, true, ""));
    }

    private void duplicate(EventId id) {
        relay.counters().duplicates.increment();
        outbox.text(RelayMessages.ok(id, true, Prefix.DUPLICATE.with("already have this event")));
    }

    private void refuseEvent(String id, String reason) {
        relay.counters().refused(reason);
        outbox.text(RelayMessages.ok(id, false, reason));
    }

    // ---- REQ and COUNT

    private void request(String id, List<Filter> asked) {
        // A new REQ takes the place of the old one whatever becomes of it: CLOSED would speak of both.
        requests.end(id);
        List<Filter> filters = relay.queries().clamped(asked);
        Optional<String> refusal = refusal(filters);
        if (refusal.isPresent()) {
            outbox.text(RelayMessages.closed(id, refusal.get()));
        } else {
            requests.request(id, filters, viewer);
        }
    }

    private void count(String id, List<Filter> filters) {
        Optional<String> refusal = refusal(filters);
        if (refusal.isPresent()) {
            outbox.text(RelayMessages.closed(id, refusal.get()));
        } else {
            counts.count(id, filters, viewer);
        }
    }

    private void end(String id) {
        requests.end(id);
        counts.end(id);
    }

    private Optional<String> refusal(List<Filter> filters) {
        if (relay.isStopping()) {
            return Optional.of(STOPPING);
        }
        if (rate.isPresent() && !rate.get().tryTake(System.nanoTime())) {
            return Optional.of(Prefix.RATE_LIMITED.with(
                    "at most " + relay.limits().requestsPerSecond() + " requests a second on one connection"));
        }
        return relay.queries().refusal(filters, !authentication.keys().isEmpty());
    }

    private void refuseQuery(String id, String reason) {
        requests.end(id);
        outbox.text(RelayMessages.closed(id, reason));
    }

    // ---- AUTH, and the rest

    private void authenticate(Event event) {
        if (relay.config().auth() == AuthMode.OFF) {
            refuseEvent(event.id().hex(), Prefix.UNSUPPORTED.with("AUTH is off here"));
            return;
        }
        Optional<String> refusal = authentication.prove(event, relay.now());
        if (refusal.isPresent()) {
            refuseEvent(event.id().hex(), refusal.get());
            return;
        }
        viewer = Viewer.of(authentication.keys(), relay.config().privateKinds());
        requests.seenBy(viewer);
        outbox.text(RelayMessages.ok(event.id(), true, ""));
    }

    private void unknown(String verb, String id) {
        String text = Prefix.UNSUPPORTED.with(verb + " is not served here");
        if (verb.equals("NEG-OPEN") || verb.equals("NEG-MSG")) {
            outbox.text(RelayMessages.negError(id, text));
        } else if (!verb.equals("NEG-CLOSE")) {
            outbox.text(RelayMessages.notice(text));
            if (!id.isEmpty()) {
                outbox.text(RelayMessages.closed(id, text));
            }
        }
    }

    private static Counters.Verb verb(ClientMessage message) {
        return switch (message) {
            case ClientMessage.Publish m -> Counters.Verb.EVENT;
            case ClientMessage.PublishRefused m -> Counters.Verb.EVENT;
            case ClientMessage.Req m -> Counters.Verb.REQ;
            case ClientMessage.Count m -> Counters.Verb.COUNT;
            case ClientMessage.QueryRefused m -> Counters.Verb.OTHER;
            case ClientMessage.Close m -> Counters.Verb.CLOSE;
            case ClientMessage.Auth m -> Counters.Verb.AUTH;
            case ClientMessage.AuthRefused m -> Counters.Verb.AUTH;
            case ClientMessage.UnknownVerb m -> Counters.Verb.OTHER;
            case ClientMessage.Unreadable m -> Counters.Verb.OTHER;
        };
    }
}
