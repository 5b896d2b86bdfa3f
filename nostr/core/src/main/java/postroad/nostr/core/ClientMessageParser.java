package postroad.nostr.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Reads what a client says to a relay, strictly. Owned by one thread, which uses it again and again.
///
/// Work is linear in the message, nesting is bounded, and whatever the bytes are, the outcome is a [ClientMessage].
public final class ClientMessageParser {
    /// Longer words of a peer are cut before they are repeated.
    private static final int MOST_ECHOED = 256;

    private final int maxFilters;
    private final int maxSubscriptionIdLength;
    private final JsonCursor cursor = new JsonCursor();
    private final EventReader events;
    private final FilterReader filters;

    /// A parser with these limits: filters of one message, values over all lists of one filter, characters of a
    /// subscription id, and what bounds an event.
    public ClientMessageParser(
            int maxFilters, int maxFilterValues, int maxSubscriptionIdLength, EventLimits eventLimits) {
        this.maxFilters = maxFilters;
        this.maxSubscriptionIdLength = maxSubscriptionIdLength;
        this.events = new EventReader(eventLimits);
        this.filters = new FilterReader(maxFilterValues);
    }

    /// Reads the message that the bytes from `from` up to `to` are.
    public ClientMessage parse(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        cursor.reset(bytes, from, to);
        try {
            return message(bytes, to);
        } catch (Refusal refusal) {
            return new ClientMessage.Unreadable(refusal.reason());
        } finally {
            cursor.clear();
        }
    }

    private ClientMessage message(byte[] bytes, int to) {
        if (cursor.peek() != '[') {
            throw Refusal.invalid("a message must be a JSON array");
        }
        cursor.take('[');
        if (cursor.peek() != '"') {
            throw Refusal.invalid("a message must begin with its verb, a string");
        }
        String verb = cursor.string();
        return switch (verb) {
            case "EVENT" -> event(bytes, to, false);
            case "AUTH" -> event(bytes, to, true);
            case "REQ" -> query(verb);
            case "COUNT" -> query(verb);
            case "CLOSE" -> close();
            default -> unknown(verb);
        };
    }

    private ClientMessage event(byte[] bytes, int to, boolean isAuth) {
        int from = cursor.position();
        try {
            if (!cursor.tryTake(',')) {
                throw Refusal.invalid("the event is missing");
            }
            Event event = events.read(cursor);
            takeLast(isAuth ? "AUTH takes one event" : "EVENT takes one event");
            return isAuth ? new ClientMessage.Auth(event) : new ClientMessage.Publish(event);
        } catch (Refusal refusal) {
            String id = IdFinder.find(bytes, from, to);
            return isAuth
                    ? new ClientMessage.AuthRefused(id, refusal.reason())
                    : new ClientMessage.PublishRefused(id, refusal.reason());
        }
    }

    private ClientMessage query(String verb) {
        String id = subscriptionId(verb);
        try {
            checkLength(id);
            List<Filter> list = new ArrayList<>(2);
            while (cursor.takeMore(']')) {
                if (list.size() == maxFilters) {
                    throw Refusal.invalid("more than " + maxFilters + " filters");
                }
                list.add(filters.read(cursor));
            }
            cursor.takeEnd();
            if (list.isEmpty()) {
                throw Refusal.invalid(verb + " without a filter");
            }
            return verb.equals("REQ") ? new ClientMessage.Req(id, list) : new ClientMessage.Count(id, list);
        } catch (Refusal refusal) {
            return new ClientMessage.QueryRefused(cut(id), refusal.reason());
        }
    }

    private ClientMessage close() {
        String id = subscriptionId("CLOSE");
        checkLength(id);
        takeLast("CLOSE takes one subscription id");
        return new ClientMessage.Close(id);
    }

    private ClientMessage unknown(String verb) {
        String id = "";
        boolean isFirst = true;
        while (cursor.takeMore(']')) {
            if (isFirst && cursor.peek() == '"') {
                id = cursor.string();
            } else {
                cursor.skipValue();
            }
            isFirst = false;
        }
        cursor.takeEnd();
        return new ClientMessage.UnknownVerb(cut(verb), cut(id));
    }

    private String subscriptionId(String verb) {
        if (!cursor.tryTake(',') || cursor.peek() != '"') {
            throw Refusal.invalid(verb + " must be followed by a subscription id, a string");
        }
        return cursor.string();
    }

    private void checkLength(String id) {
        if (id.isEmpty()) {
            throw Refusal.invalid("the subscription id is empty");
        }
        if (id.length() > maxSubscriptionIdLength && id.codePointCount(0, id.length()) > maxSubscriptionIdLength) {
            throw Refusal.invalid("the subscription id is longer than " + maxSubscriptionIdLength + " characters");
        }
    }

    private void takeLast(String rule) {
        if (cursor.takeMore(']')) {
            throw Refusal.invalid(rule);
        }
        cursor.takeEnd();
    }

    private static String cut(String words) {
        if (words.length() <= MOST_ECHOED) {
            return words;
        }
        boolean splits = Character.isHighSurrogate(words.charAt(MOST_ECHOED - 1));
        return words.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED);
    }
}
