package postroad.nostr.client;

import java.time.Duration;
import java.util.function.Consumer;
import postroad.nostr.core.EventLimits;
import postroad.wire.WebSocketOptions;

/// How a relay is talked to.
///
/// @param link how the connection is opened
/// @param answer how long an answer may take: an OK, a COUNT, a challenge
/// @param silence how long the relay may be silent before it is pinged, and then again before it counts as lost
/// @param event bounds of a received event
/// @param verify whether signatures of received events are checked
/// @param queue most events that wait for one subscription's reader; when full, the socket is read no further
/// @param window most published events that wait for their OK; when full, publishing waits
/// @param notices told each NOTICE, on the reading thread
public record ClientOptions(
        WebSocketOptions link,
        Duration answer,
        Duration silence,
        EventLimits event,
        boolean verify,
        int queue,
        int window,
        Consumer<String> notices) {
    /// The defaults: thirty seconds for an answer, a ping after a minute of silence, everything verified.
    public static final ClientOptions DEFAULT = new ClientOptions(
            WebSocketOptions.DEFAULT,
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            EventLimits.HARD,
            true,
            1024,
            256,
            notice -> {});

    /// Refuses bounds that are not positive.
    public ClientOptions {
        if (!answer.isPositive() || !silence.isPositive() || queue < 1 || window < 1) {
            throw new IllegalArgumentException("times and bounds must be positive");
        }
    }

    /// The same with other options of the link.
    public ClientOptions withLink(WebSocketOptions options) {
        return new ClientOptions(options, answer, silence, event, verify, queue, window, notices);
    }

    /// The same with another time for answers.
    public ClientOptions withAnswer(Duration time) {
        return new ClientOptions(link, time, silence, event, verify, queue, window, notices);
    }

    /// The same with another time of silence.
    public ClientOptions withSilence(Duration time) {
        return new ClientOptions(link, answer, time, event, verify, queue, window, notices);
    }

    /// The same with signatures checked or not.
    public ClientOptions withVerify(boolean check) {
        return new ClientOptions(link, answer, silence, event, check, queue, window, notices);
    }

    /// The same with another bound on waiting events.
    public ClientOptions withQueue(int events) {
        return new ClientOptions(link, answer, silence, event, verify, events, window, notices);
    }

    /// The same with another bound on events in flight.
    public ClientOptions withWindow(int events) {
        return new ClientOptions(link, answer, silence, event, verify, queue, events, notices);
    }

    /// The same with another taker of notices.
    public ClientOptions withNotices(Consumer<String> taker) {
        return new ClientOptions(link, answer, silence, event, verify, queue, window, taker);
    }
}
