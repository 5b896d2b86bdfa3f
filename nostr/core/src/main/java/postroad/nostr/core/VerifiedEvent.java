package postroad.nostr.core;

import java.util.Optional;
import postroad.common.Schnorr;

/// An event whose signature was checked, or that the operator took responsibility for. Only these can be stored.
public final class VerifiedEvent {
    private final Event event;

    private VerifiedEvent(Event event) {
        this.event = event;
    }

    /// The event, when its signature is its author's; costs tens of microseconds.
    public static Optional<VerifiedEvent> verify(Event event) {
        boolean genuine = Schnorr.verify(
                event.signature(), event.id().bytes(), event.author().bytes());
        return genuine ? Optional.of(new VerifiedEvent(event)) : Optional.empty();
    }

    /// The event without a check, for `import --no-verify` alone.
    public static VerifiedEvent unchecked(Event event) {
        return new VerifiedEvent(event);
    }

    /// The event itself.
    public Event event() {
        return event;
    }

    @Override
    public String toString() {
        return event.toString();
    }
}
