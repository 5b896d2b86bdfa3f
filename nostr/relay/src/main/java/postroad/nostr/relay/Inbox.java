package postroad.nostr.relay;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// What one loop needs to take messages in: a scratch array for the message, another for what it inflates
/// to, and the inflater. Owned by the loop and shared by its connections, which is why no context may be
/// carried from one message to the next (RFC 7692, `client_no_context_takeover`).
final class Inbox implements AutoCloseable {
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};
    private static final int GUESS = 4;

    private final Scratch message = new Scratch();
    private final Scratch inflated = new Scratch();
    private final Inflater inflater = new Inflater(true);

    /// What became of a compressed message.
    sealed interface Inflated {
        /// The message is the first `length` of [Inbox#inflated].
        record Message(int length) implements Inflated {}

        record TooBig() implements Inflated {}

        record Malformed() implements Inflated {}
    }

    /// Where a message that was read whole is put.
    Scratch message() {
        return message;
    }

    /// Inflates a message to at most `maxBytes`, whatever it would inflate to.
    ///
    /// A final block ends it: only the beginning of an empty one may follow (RFC 7692, 7.2.3.4). More
    /// could be read with a fresh window only, which a message of nothing but final blocks would make
    /// dear.
    Inflated inflate(byte[] bytes, int length, int maxBytes) {
        inflater.reset();
        try {
            inflater.setInput(bytes, 0, length);
            int done = inflateInput(0, (int) Math.min(maxBytes, Math.max((long) length * GUESS, 1 << 10)), maxBytes);
            if (done <= maxBytes && inflater.finished()) {
                return endsWithFinalBlock(bytes, length) ? new Inflated.Message(done) : new Inflated.Malformed();
            }
            if (done <= maxBytes) {
                inflater.setInput(TAIL);
                done = inflateInput(done, done + GUESS, maxBytes);
            }
            return done > maxBytes ? new Inflated.TooBig() : new Inflated.Message(done);
        } catch (DataFormatException e) {
            return new Inflated.Malformed();
        }
    }

    /// What the last [#inflate] made, valid until the next.
    byte[] inflated() {
        return inflated.atLeast(0);
    }

    @Override
    public void close() {
        inflater.end();
    }

    /// Whether nothing follows the final block but a byte of zero.
    private boolean endsWithFinalBlock(byte[] bytes, int length) {
        int rest = inflater.getRemaining();
        return rest == 0 || rest == 1 && bytes[length - 1] == 0;
    }

    /// Inflates until the input is used up; more than `maxBytes` when the output would be.
    private int inflateInput(int from, int guess, int maxBytes) throws DataFormatException {
        int done = from;
        byte[] target = inflated.keeping(done, guess);
        while (true) {
            int room = (int) Math.min(target.length, maxBytes + 1L) - done;
            int step = inflater.inflate(target, done, room);
            done += step;
            if (done > maxBytes || inflater.finished() || inflater.needsDictionary()) {
                return done;
            }
            if (step < room) {
                return done;
            }
            target = inflated.keeping(done, (int) Math.min(maxBytes + 1L, 2L * target.length));
        }
    }
}
