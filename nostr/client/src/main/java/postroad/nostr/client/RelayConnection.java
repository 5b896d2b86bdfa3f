package postroad.nostr.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import postroad.common.SecretKey;
import postroad.nostr.core.ClientMessages;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayMessage;
import postroad.nostr.core.RelayMessageParser;
import postroad.nostr.core.Tag;
import postroad.nostr.core.VerifiedEvent;
import postroad.wire.LinkMessage;
import postroad.wire.WebSocketLink;
import postroad.wire.WebSocketUrl;

/// A connection to one relay (NIP-01, 42, 45).
///
/// Any thread may call; one virtual thread reads. Every event received has its id checked by the parser, its signature
/// checked unless told otherwise, and is compared with the subscription's filters; one that fails is counted in
/// [#stats] and not delivered.
public final class RelayConnection implements AutoCloseable {
    private static final int AUTH_KIND = 22_242;

    private final String url;
    private final ClientOptions options;
    private final WebSocketLink link;
    private final Thread reader;
    private final Semaphore window;
    private final CompletableFuture<String> firstChallenge = new CompletableFuture<>();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong forged = new AtomicLong();
    private final AtomicLong unasked = new AtomicLong();
    private final AtomicLong unreadable = new AtomicLong();
    private final ReentrantLock state = new ReentrantLock();

    // Guarded by `state`.
    private final Map<String, ArrayDeque<CompletableFuture<RelayMessage.Ok>>> publishing = new HashMap<>();
    private final Map<String, Subscription> subscriptions = new HashMap<>();
    private final Map<String, CompletableFuture<CountAnswer>> counting = new HashMap<>();
    private String challenge = "";
    private String lost = "";
    private long nextId = 1;

    private RelayConnection(String url, ClientOptions options, WebSocketLink link) {
        this.url = url;
        this.options = options;
        this.link = link;
        this.window = new Semaphore(options.window());
        this.reader = Thread.ofVirtual()
                .name("relay-reader-" + link.url().authority())
                .unstarted(this::readAll);
    }

    /// Connects to the relay at `url`.
    ///
    /// @throws IllegalArgumentException if `url` is no `ws` or `wss` URL
    /// @throws IOException when the relay cannot be reached, with the reason in words for a person
    public static RelayConnection open(String url, ClientOptions options) throws IOException {
        WebSocketUrl parsed = WebSocketUrl.parse(url);
        WebSocketLink link = WebSocketLink.open(parsed, options.link().withReadTimeout(options.silence()));
        RelayConnection connection = new RelayConnection(url, options, link);
        connection.reader.start();
        return connection;
    }

    /// What was received, and what of it was not delivered.
    ///
    /// @param delivered events handed to subscriptions
    /// @param forged events whose signature is not their author's
    /// @param unasked events and answers of no subscription, or that match no filter of it
    /// @param unreadable messages that are none, events with a wrong id among them
    public record Stats(long delivered, long forged, long unasked, long unreadable) {}

    /// The figures so far.
    public Stats stats() {
        return new Stats(delivered.get(), forged.get(), unasked.get(), unreadable.get());
    }

    /// The URL it was opened with.
    public String url() {
        return url;
    }

    /// Sends an event and waits for the relay's OK.
    public RelayMessage.Ok publish(Event event) throws IOException, InterruptedException {
        return await(submit(event), "answer to EVENT " + event.id());
    }

    /// Sends an event; its OK comes later, or [RelayException] when the connection is lost. Waits while as many events
    /// as the window allows have no OK yet.
    public CompletableFuture<RelayMessage.Ok> submit(Event event) throws IOException, InterruptedException {
        if (!window.tryAcquire(options.answer().toNanos(), TimeUnit.NANOSECONDS)) {
            throw new RelayException(silent("OK to the events sent"));
        }
        return sendEvent(event, ClientMessages.event(event), window::release);
    }

    private CompletableFuture<RelayMessage.Ok> sendEvent(Event event, byte[] message, Runnable whenDone)
            throws IOException {
        CompletableFuture<RelayMessage.Ok> ok = new CompletableFuture<>();
        var _ = ok.whenComplete((answer, failure) -> whenDone.run());
        String id = event.id().hex();
        state.lock();
        try {
            if (!lost.isEmpty()) {
                ok.completeExceptionally(new RelayException(lost));
                return ok;
            }
            publishing.computeIfAbsent(id, key -> new ArrayDeque<>(1)).add(ok);
        } finally {
            state.unlock();
        }
        send(message);
        return ok;
    }

    /// Asks for the stored events that match, and hands them over as they come, on the calling thread.
    ///
    /// @param idle how long the relay may be silent before the query fails
    public QueryEnd query(List<Filter> filters, Duration idle, Consumer<Event> taker)
            throws IOException, InterruptedException {
        try (Subscription subscription = subscribe(filters)) {
            while (true) {
                Subscription.Item item =
                        subscription.next(idle).orElseThrow(() -> new RelayException(silent("more to a REQ")));
                switch (item) {
                    case Subscription.Item.Found(Event event) -> taker.accept(event);
                    case Subscription.Item.EndOfStored(List<String> hints) -> {
                        return new QueryEnd.Finished(hints);
                    }
                    case Subscription.Item.Refused(String text) -> {
                        return new QueryEnd.Refused(text);
                    }
                    case Subscription.Item.Lost(String reason) -> throw new RelayException(reason);
                }
            }
        }
    }

    /// Asks for the stored events that match, as a list.
    public List<Event> query(List<Filter> filters) throws IOException, InterruptedException {
        List<Event> events = new ArrayList<>();
        QueryEnd end = query(filters, options.answer(), events::add);
        if (end instanceof QueryEnd.Refused(String text)) {
            throw new RelayException(url + " refused: " + text);
        }
        return events;
    }

    /// Opens a subscription: stored events first, then live ones.
    public Subscription subscribe(List<Filter> filters) throws IOException {
        return subscribe(filters, id -> ClientMessages.req(id, filters));
    }

    /// Opens a subscription with filters as they were written.
    public Subscription subscribeAsGiven(List<GivenFilter> filters) throws IOException {
        return subscribe(
                filters.stream().map(GivenFilter::checked).toList(),
                id -> ClientMessages.reqAsGiven(id, json(filters)));
    }

    private Subscription subscribe(List<Filter> filters, Function<String, byte[]> message) throws IOException {
        Subscription subscription;
        state.lock();
        try {
            requireAlive();
            subscription = new Subscription(this, newId(), filters, options.queue());
            subscriptions.put(subscription.id(), subscription);
        } finally {
            state.unlock();
        }
        send(message.apply(subscription.id()));
        return subscription;
    }

    /// Asks how many events match.
    public CountAnswer count(List<Filter> filters) throws IOException, InterruptedException {
        return count(id -> ClientMessages.count(id, filters));
    }

    /// Asks how many events match filters as they were written.
    public CountAnswer countAsGiven(List<GivenFilter> filters) throws IOException, InterruptedException {
        return count(id -> ClientMessages.countAsGiven(id, json(filters)));
    }

    private static List<String> json(List<GivenFilter> filters) {
        return filters.stream().map(GivenFilter::json).toList();
    }

    private CountAnswer count(Function<String, byte[]> message) throws IOException, InterruptedException {
        CompletableFuture<CountAnswer> answer = new CompletableFuture<>();
        String id;
        state.lock();
        try {
            requireAlive();
            id = newId();
            counting.put(id, answer);
        } finally {
            state.unlock();
        }
        try {
            send(message.apply(id));
            return await(answer, "answer to COUNT");
        } finally {
            state.lock();
            try {
                counting.remove(id);
            } finally {
                state.unlock();
            }
        }
    }

    /// Proves a key to the relay (NIP-42); waits for its challenge if need be.
    ///
    /// @return the relay's OK
    /// @throws RelayException when the relay sends no challenge in time
    public RelayMessage.Ok authenticate(SecretKey key) throws IOException, InterruptedException {
        await(firstChallenge, "AUTH challenge, so it may know no AUTH");
        String current = challenge().orElseThrow();
        long now = System.currentTimeMillis() / 1000;
        EventDraft draft =
                new EventDraft(now, AUTH_KIND, List.of(Tag.of("relay", url), Tag.of("challenge", current)), "");
        Event event = draft.sign(key);
        return await(sendEvent(event, ClientMessages.auth(event), () -> {}), "answer to AUTH");
    }

    /// The relay's newest challenge (NIP-42).
    public Optional<String> challenge() {
        state.lock();
        try {
            return challenge.isEmpty() ? Optional.empty() : Optional.of(challenge);
        } finally {
            state.unlock();
        }
    }

    /// Whether the connection still stands.
    public boolean isOpen() {
        state.lock();
        try {
            return lost.isEmpty();
        } finally {
            state.unlock();
        }
    }

    /// Says goodbye and closes. What still waits for an answer fails.
    @Override
    public void close() {
        end("the connection to " + url + " was closed by this side");
        link.close();
        // The reader may be waiting for the reader of a subscription that nobody reads any more.
        reader.interrupt();
    }

    /// Called by a subscription that was closed.
    void forget(Subscription subscription, boolean tellRelay) {
        state.lock();
        try {
            if (!subscriptions.remove(subscription.id(), subscription) || !lost.isEmpty()) {
                return;
            }
        } finally {
            state.unlock();
        }
        if (tellRelay) {
            try {
                send(ClientMessages.close(subscription.id()));
            } catch (IOException e) {
                // The connection is gone, and the subscription with it.
                return;
            }
        }
    }

    private String newId() {
        return Long.toString(nextId++, 36);
    }

    private void requireAlive() throws RelayException {
        if (!lost.isEmpty()) {
            throw new RelayException(lost);
        }
    }

    private void send(byte[] message) throws IOException {
        try {
            link.send(message, 0, message.length);
        } catch (IOException e) {
            end("the connection to " + url + " is lost: " + e.getMessage());
            throw new RelayException(lostReason(), e);
        }
    }

    private String lostReason() {
        state.lock();
        try {
            return lost;
        } finally {
            state.unlock();
        }
    }

    private <T> T await(CompletableFuture<T> answer, String what) throws IOException, InterruptedException {
        try {
            return answer.get(options.answer().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new RelayException(silent(what), e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RelayException known
                    ? new RelayException(known.getMessage(), known)
                    : new RelayException("the connection to " + url + " is lost", e.getCause());
        }
    }

    private String silent(String what) {
        return url + " sent no " + what + " within " + options.answer().toMillis() / 1000.0 + " s";
    }

    // From here on: the reading thread.

    private void readAll() {
        RelayMessageParser parser = new RelayMessageParser(options.event());
        try {
            while (true) {
                switch (receive()) {
                    case LinkMessage.Text text -> take(parser.parse(text.utf8(), 0, text.utf8().length));
                    case LinkMessage.Binary binary -> unreadable.incrementAndGet();
                    case LinkMessage.Closed(int code, String reason) -> {
                        end(url + " closed the connection" + described(code, reason));
                        return;
                    }
                }
            }
        } catch (SocketTimeoutException e) {
            end("the connection to " + url + " is lost: no sign of life");
        } catch (IOException e) {
            end("the connection to " + url + " is lost: " + e.getMessage());
        } catch (InterruptedException e) {
            end("the connection to " + url + " was closed by this side");
        } catch (RuntimeException | Error e) {
            // Whatever it is: publishers and readers wait for this thread.
            end("the connection to " + url + " ended by a fault of ours: " + e);
        } finally {
            link.close();
        }
    }

    /// Waits for a message; a silent relay is pinged once before it counts as lost.
    private LinkMessage receive() throws IOException {
        long framesBefore = -1;
        while (true) {
            try {
                return link.receive();
            } catch (SocketTimeoutException e) {
                if (link.framesReceived() == framesBefore) {
                    throw e;
                }
                framesBefore = link.framesReceived();
                link.ping();
            }
        }
    }

    private static String described(int code, String reason) {
        if (code == 1006) {
            return reason.isEmpty() ? "" : ": " + reason;
        }
        return code == 1005 ? "" : " (" + code + (reason.isEmpty() ? "" : ": " + reason) + ")";
    }

    private void take(RelayMessage message) throws InterruptedException {
        switch (message) {
            case RelayMessage.Matched(String id, Event event) -> matched(id, event);
            case RelayMessage.Ok ok -> answered(ok);
            case RelayMessage.Eose(String id, List<String> hints) -> put(id, new Subscription.Item.EndOfStored(hints));
            case RelayMessage.Closed(String id, String text) -> closed(id, text);
            case RelayMessage.Counted(String id, long count, boolean approximate) ->
                counted(id, new CountAnswer.Counted(count, approximate));
            case RelayMessage.Challenge(String text) -> challenged(text);
            case RelayMessage.Notice(String text) -> options.notices().accept(text);
            case RelayMessage.Unreadable unknown -> unreadable.incrementAndGet();
        }
    }

    private void matched(String id, Event event) throws InterruptedException {
        Optional<Subscription> subscription = subscription(id);
        if (subscription.isEmpty() || !subscription.get().asksFor(event)) {
            unasked.incrementAndGet();
            return;
        }
        if (options.verify() && VerifiedEvent.verify(event).isEmpty()) {
            forged.incrementAndGet();
            return;
        }
        delivered.incrementAndGet();
        subscription.get().put(new Subscription.Item.Found(event));
    }

    private void put(String id, Subscription.Item item) throws InterruptedException {
        Optional<Subscription> subscription = subscription(id);
        if (subscription.isPresent()) {
            subscription.get().put(item);
        }
    }

    private Optional<Subscription> subscription(String id) {
        state.lock();
        try {
            return Optional.ofNullable(subscriptions.get(id));
        } finally {
            state.unlock();
        }
    }

    private void answered(RelayMessage.Ok ok) {
        CompletableFuture<RelayMessage.Ok> waiting;
        state.lock();
        try {
            ArrayDeque<CompletableFuture<RelayMessage.Ok>> queue = publishing.get(ok.eventId());
            waiting = queue == null ? null : queue.poll();
            if (queue != null && queue.isEmpty()) {
                publishing.remove(ok.eventId());
            }
        } finally {
            state.unlock();
        }
        if (waiting == null) {
            unasked.incrementAndGet();
        } else {
            waiting.complete(ok);
        }
    }

    private void closed(String id, String text) {
        CompletableFuture<CountAnswer> count;
        Subscription subscription;
        state.lock();
        try {
            count = counting.remove(id);
            subscription = subscriptions.remove(id);
        } finally {
            state.unlock();
        }
        if (count != null) {
            count.complete(new CountAnswer.Refused(text));
        }
        if (subscription != null) {
            subscription.end(new Subscription.Item.Refused(text));
        }
    }

    private void counted(String id, CountAnswer answer) {
        CompletableFuture<CountAnswer> waiting;
        state.lock();
        try {
            waiting = counting.remove(id);
        } finally {
            state.unlock();
        }
        if (waiting == null) {
            unasked.incrementAndGet();
        } else {
            waiting.complete(answer);
        }
    }

    private void challenged(String text) {
        state.lock();
        try {
            challenge = text;
        } finally {
            state.unlock();
        }
        firstChallenge.complete(text);
    }

    /// Fails everything that waits; the first reason stands.
    private void end(String reason) {
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        List<Subscription> open;
        state.lock();
        try {
            if (!lost.isEmpty()) {
                return;
            }
            lost = reason;
            publishing.values().forEach(waiting::addAll);
            waiting.addAll(counting.values());
            open = List.copyOf(subscriptions.values());
            publishing.clear();
            counting.clear();
            subscriptions.clear();
        } finally {
            state.unlock();
        }
        RelayException failure = new RelayException(reason);
        waiting.forEach(one -> one.completeExceptionally(failure));
        firstChallenge.completeExceptionally(failure);
        open.forEach(subscription -> subscription.end(new Subscription.Item.Lost(reason)));
    }
}
