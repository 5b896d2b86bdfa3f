package postroad.nostr.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import postroad.common.Bytes32;
import postroad.nostr.core.ClientMessage;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.TagCondition;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Budget;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.StoreReader;
import postroad.nostr.store.WriteOutcome;

/// What one client asks and is answered: each message is read, decided and, when it is small, answered at
/// once.
///
/// Everything that is refused is answered with the caller's own id. Owned by the connection's loop.
final class Session {
    /// What one REQ may use on the loop; what exceeds it goes to a worker.
    private static final Budget INLINE = new Budget(64, 64 << 10, 200_000);

    /// Stored parts and counts of one connection that may be with the workers at once; more of the former
    /// wait.
    private static final int MOST_RUNNING = 4;

    private static final int MOST_COUNTS = 8;

    /// Values over all open subscriptions, in multiples of what one filter may have.
    private static final int FILTERS_WORTH = 4;

    private static final String STOPPING = Prefix.ERROR.with("relay is shutting down");
    private static final String UNREADABLE = Prefix.ERROR.with("the store cannot be read");

    private final Relay relay;
    private final Loop loop;
    private final Connection connection;
    private final Outbox outbox;
    private final String client;
    private final boolean deflate;
    private final Authentication authentication;
    private final Optional<TokenBucket> requests;
    private final Map<String, Subscription> subscriptions = new HashMap<>(2);
    private final ArrayDeque<StoredPart> waiting = new ArrayDeque<>(0);
    private final ArrayDeque<StoredPart> parked = new ArrayDeque<>(0);
    private Viewer viewer;
    private int running;
    private int atWork;
    private int counting;
    private int values;
    private long bytesInFlight;
    private volatile boolean ended;

    Session(Relay relay, Loop loop, Connection connection, Outbox outbox, String client, String host, boolean deflate) {
        this.relay = relay;
        this.loop = loop;
        this.connection = connection;
        this.outbox = outbox;
        this.client = client;
        this.deflate = deflate;
        this.authentication = new Authentication(relay.config().urls(), host);
        this.viewer = relay.stranger();
        int perSecond = relay.limits().requestsPerSecond();
        this.requests = perSecond == 0 ? Optional.empty() : Optional.of(new TokenBucket(perSecond, System.nanoTime()));
    }

    Loop loop() {
        return loop;
    }

    /// The time in seconds.
    long now() {
        return relay.now();
    }

    /// Bytes of this client's events that are not answered yet.
    long bytesInFlight() {
        return bytesInFlight;
    }

    /// Whether the connection is gone or going.
    boolean hasEnded() {
        return ended;
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
        for (int left = parked.size(); left > 0 && !outbox.isOverPause(); left--) {
            turn(parked.removeFirst());
        }
    }

    /// The connection ends: nothing more is sent.
    void end() {
        ended = true;
        subscriptions.values().forEach(subscription -> subscription.end(loop.live()));
        subscriptions.clear();
        waiting.clear();
        parked.clear();
    }

    /// Tells the client that the relay stops.
    void closeAll(String reason) {
        for (Subscription subscription : List.copyOf(subscriptions.values())) {
            drop(subscription, reason);
        }
    }

    // ---- EVENT

    private void publish(Event event) {
        if (relay.isStopping()) {
            refuseEvent(event.id().hex(), STOPPING);
        } else if (!relay.addresses().tryEvent(client)) {
            refuseEvent(event.id().hex(), Prefix.RATE_LIMITED.with("too many events, slow down"));
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
            refuseEvent(event.id().hex(), UNREADABLE);
            return;
        }
        bytesInFlight += event.packedLength();
        relay.verifiers().submit(new Submission.Published(this, event, relay.writer()));
    }

    /// Something went wrong that must not.
    void fail(RuntimeException cause) {
        connection.fail(cause);
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

    // ---- REQ

    private void request(String id, List<Filter> asked) {
        // A new REQ takes the place of the old one whatever becomes of it: CLOSED would speak of both.
        end(id);
        List<Filter> filters = clamped(asked);
        Optional<String> refusal = refusal(filters).or(() -> refusalOfMore(filters));
        if (refusal.isPresent()) {
            refuseQuery(id, refusal.get());
            return;
        }
        Subscription subscription = new Subscription(this, id, filters, viewer);
        subscriptions.put(id, subscription);
        values += subscription.values();
        subscription.register(loop.live());
        begin(subscription);
    }

    private void begin(Subscription subscription) {
        List<Filter> stored = askingForStored(subscription.filters());
        if (stored.isEmpty()) {
            sendEose(
                    subscription,
                    asksForNothing(subscription) ? Scan.Completeness.UNKNOWN : Scan.Completeness.FINISHED);
            subscription.goLive(relay.store().sequence());
            return;
        }
        try {
            runInline(subscription, relay.store().plan(new Query(stored, viewer)));
        } catch (StoreException e) {
            drop(subscription, UNREADABLE);
        }
    }

    private void runInline(Subscription subscription, Scan scan) {
        byte[] prefix = subscription.prefix();
        boolean done;
        try (Snapshot snapshot = loop.reader().open()) {
            done = snapshot.run(scan, relay.now(), INLINE, (base, at, length, sequence) -> {
                outbox.event(prefix, base, at, length);
                return true;
            });
        }
        Optional<String> tooMuch = StoredPart.tooMuch(scan, relay.limits().scanEntries());
        if (tooMuch.isPresent()) {
            drop(subscription, tooMuch.get());
        } else if (done) {
            sendEose(subscription, completeness(subscription, scan));
            subscription.goLive(scan.watermark());
        } else {
            continueOnWorker(subscription, scan);
        }
    }

    private void continueOnWorker(Subscription subscription, Scan scan) {
        StoredPart part = new StoredPart(
                subscription,
                scan,
                relay.limits().scanEntries(),
                new FrameBuffer(connection.channel().alloc(), deflate));
        subscription.continueWith(part);
        waiting.addLast(part);
        startWaiting();
    }

    /// A worker has done a turn of a stored part: sends what it read, and decides how to go on.
    void turnDone(StoredPart part) {
        atWork--;
        try {
            goOn(part);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void goOn(StoredPart part) {
        if (part.isCancelled()) {
            part.frames().discard();
            finished();
            drained();
            return;
        }
        if (!part.frames().isEmpty()) {
            outbox.frames(part.frames().take());
        }
        Subscription subscription = part.subscription();
        Optional<String> failure = part.failure();
        if (failure.isPresent()) {
            drop(subscription, failure.get());
            finished();
        } else if (part.rowsAreDone()) {
            if (part.takeEose()) {
                sendEose(subscription, completeness(subscription, part.scan()));
            }
            closeGap(part);
        } else {
            turn(part);
        }
        connection.afterWriting();
    }

    private void closeGap(StoredPart part) {
        boolean closed;
        try (Snapshot snapshot = loop.reader().open()) {
            closed = part.closeGap(snapshot, outbox);
        } catch (StoreException e) {
            drop(part.subscription(), UNREADABLE);
            finished();
            return;
        }
        if (closed) {
            part.subscription().goLive(part.replayed());
            finished();
        } else {
            turn(part);
        }
    }

    /// Gives a stored part its next turn, when the client has room for it.
    private void turn(StoredPart part) {
        boolean isOthersTurn = atWork > 0 && relay.output().isTight();
        if (isOthersTurn || outbox.isOverPause()) {
            parked.addLast(part);
        } else {
            atWork++;
            relay.scans().submit(part);
        }
    }

    private void finished() {
        running--;
        startWaiting();
    }

    private void startWaiting() {
        while (running < MOST_RUNNING && !waiting.isEmpty()) {
            running++;
            turn(waiting.removeFirst());
        }
    }

    private void sendEose(Subscription subscription, Scan.Completeness completeness) {
        outbox.text(
                switch (completeness) {
                    case FINISHED -> RelayMessages.eose(subscription.id(), "finish");
                    case MORE -> RelayMessages.eose(subscription.id(), "more");
                    case UNKNOWN -> RelayMessages.eose(subscription.id());
                });
    }

    /// A filter with limit 0 asks for nothing stored, so nothing is said of what is (NIP-67).
    private static Scan.Completeness completeness(Subscription subscription, Scan scan) {
        return asksForNothing(subscription) ? Scan.Completeness.UNKNOWN : scan.completeness();
    }

    private static boolean asksForNothing(Subscription subscription) {
        for (Filter filter : subscription.filters()) {
            if (filter.limit().orElseThrow() == 0) {
                return true;
            }
        }
        return false;
    }

    private static List<Filter> askingForStored(List<Filter> filters) {
        List<Filter> stored = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            if (filter.limit().orElseThrow() > 0 && !filter.matchesNothing()) {
                stored.add(filter);
            }
        }
        return stored;
    }

    /// Sends a live event.
    void sendLive(Subscription subscription, LiveEvent event) {
        connection.touch();
        if (connection.hasRoom()) {
            relay.counters().delivered.increment();
            outbox.live(subscription.prefix(), event);
        }
    }

    /// An ephemeral event was lost to a subscription whose stored part takes long.
    void ephemeralDropped() {
        relay.counters().ephemeralDropped.increment();
    }

    // ---- COUNT

    private void count(String id, List<Filter> asked) {
        List<Filter> filters = asked.stream().map(Session::unlimited).toList();
        Optional<String> refusal = refusal(filters);
        if (refusal.isPresent()) {
            outbox.text(RelayMessages.closed(id, refusal.get()));
        } else if (counting >= MOST_COUNTS) {
            outbox.text(
                    RelayMessages.closed(id, Prefix.RATE_LIMITED.with("at most " + MOST_COUNTS + " counts at once")));
        } else {
            counting++;
            Query query = new Query(filters, viewer);
            relay.counts().submit((reader, deflating) -> {
                Optional<OptionalLong> result = ended ? Optional.empty() : tryCount(reader, query);
                loop.execute(() -> counted(id, result));
            });
        }
    }

    /// On the worker; empty when the store failed.
    private Optional<OptionalLong> tryCount(StoreReader reader, Query query) {
        try (Snapshot snapshot = reader.open()) {
            return Optional.of(snapshot.count(query, relay.now(), relay.limits().scanEntries()));
        } catch (RuntimeException e) {
            StoredPart.note(e);
            return Optional.empty();
        }
    }

    private void counted(String id, Optional<OptionalLong> result) {
        counting--;
        if (result.isEmpty()) {
            outbox.text(RelayMessages.closed(id, UNREADABLE));
        } else if (result.get().isEmpty()) {
            outbox.text(RelayMessages.closed(
                    id,
                    Prefix.BLOCKED.with("the count looks at more than "
                            + relay.limits().scanEntries() + " index entries; narrow its filters")));
        } else {
            outbox.text(RelayMessages.count(id, result.get().getAsLong()));
        }
        connection.afterWriting();
    }

    // ---- what REQ and COUNT have in common

    /// Why a request is refused whoever makes how many; filters are clamped.
    private Optional<String> refusal(List<Filter> filters) {
        if (relay.isStopping()) {
            return Optional.of(STOPPING);
        }
        if (requests.isPresent() && !requests.get().tryTake(System.nanoTime())) {
            return Optional.of(Prefix.RATE_LIMITED.with("too many requests, slow down"));
        }
        Set<Bytes32> keys = authentication.keys();
        if (relay.config().auth() == AuthMode.REQUIRED && keys.isEmpty()) {
            return Optional.of(Prefix.AUTH_REQUIRED.with("this relay answers after authentication only"));
        }
        if (keys.isEmpty() && arePrivateOnly(filters)) {
            return Optional.of(
                    relay.config().auth() == AuthMode.OFF
                            ? Prefix.RESTRICTED.with("private kinds are shown to nobody here: AUTH is off")
                            : Prefix.AUTH_REQUIRED.with("private kinds are shown to their author and addressees"));
        }
        return Optional.empty();
    }

    /// Why one more subscription is refused.
    private Optional<String> refusalOfMore(List<Filter> filters) {
        int most = relay.limits().subscriptions();
        if (subscriptions.size() >= most) {
            return Optional.of(Prefix.BLOCKED.with("at most " + most + " subscriptions on one connection"));
        }
        int mostValues = FILTERS_WORTH * relay.limits().filterValues();
        if (values + values(filters) > mostValues) {
            return Optional.of(Prefix.BLOCKED.with(
                    "at most " + mostValues + " filter values over all subscriptions of one connection"));
        }
        return Optional.empty();
    }

    private boolean arePrivateOnly(List<Filter> filters) {
        for (Filter filter : filters) {
            if (!isPrivateOnly(filter)) {
                return false;
            }
        }
        return true;
    }

    private boolean isPrivateOnly(Filter filter) {
        if (filter.kinds().isEmpty() || filter.kinds().get().isEmpty()) {
            return false;
        }
        Filter.Kinds kinds = filter.kinds().get();
        for (int i = 0; i < kinds.size(); i++) {
            if (!viewer.isPrivate(kinds.get(i))) {
                return false;
            }
        }
        return true;
    }

    private List<Filter> clamped(List<Filter> asked) {
        List<Filter> filters = new ArrayList<>(asked.size());
        for (Filter filter : asked) {
            int limit = filter.limit().orElse(relay.limits().defaultLimit());
            filters.add(filter.withLimit(Math.min(limit, relay.limits().maxLimit())));
        }
        return filters;
    }

    /// A count is of everything that matches, whatever a page would hold.
    private static Filter unlimited(Filter filter) {
        return new Filter(
                filter.ids(),
                filter.authors(),
                filter.kinds(),
                filter.tags(),
                filter.since(),
                filter.until(),
                OptionalInt.empty());
    }

    /// How many values the lists of these filters have.
    static int values(List<Filter> filters) {
        int values = 0;
        for (Filter filter : filters) {
            values += filter.ids().map(Filter.Set32::size).orElse(0)
                    + filter.authors().map(Filter.Set32::size).orElse(0)
                    + filter.kinds().map(Filter.Kinds::size).orElse(0);
            for (TagCondition tag : filter.tags()) {
                values += tag.values().size();
            }
        }
        return values;
    }

    private void refuseQuery(String id, String reason) {
        end(id);
        outbox.text(RelayMessages.closed(id, reason));
    }

    /// Ends a subscription from this side.
    private void drop(Subscription subscription, String reason) {
        end(subscription.id());
        outbox.text(RelayMessages.closed(subscription.id(), reason));
    }

    // ---- CLOSE, AUTH, and the rest

    /// Ends a subscription; silently nothing when there is none.
    private void end(String id) {
        Subscription subscription = subscriptions.remove(id);
        if (subscription != null) {
            values -= subscription.values();
            subscription.end(loop.live());
            waiting.removeIf(StoredPart::isCancelled);
        }
    }

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
        subscriptions.values().forEach(subscription -> subscription.seenBy(viewer));
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
