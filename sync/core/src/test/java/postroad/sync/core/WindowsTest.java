package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Windows let through what there is room for, never more, and grow only where the way is long.
class WindowsTest {
    @Test
    void creditIsTakenWholeOrNotAtAll() {
        SendWindow window = new SendWindow(Window.ENTRIES);

        assertThat(window.tryTake((4 << 20) - 10)).isTrue();
        assertThat(window.tryTake(11)).isFalse();
        assertThat(window.left()).isEqualTo(10);
        assertThat(window.tryTake(10)).isTrue();
    }

    @Test
    void blockedIsSaidOnceForEachCredit() throws ProtocolException {
        SendWindow window = new SendWindow(Window.ENTRIES);
        window.tryTake(4 << 20);

        assertThat(window.sayBlocked()).isTrue();
        assertThat(window.sayBlocked()).isFalse();
        window.grant(1);
        assertThat(window.sayBlocked()).isTrue();
    }

    @Test
    void aCreditPastTheMaximumIsRefused() throws ProtocolException {
        SendWindow window = new SendWindow(Window.CONTENT);
        window.grant(48 << 20);

        assertThatThrownBy(() -> window.grant(1)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> window.grant(Long.MAX_VALUE)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> window.grant(0)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void creditIsGivenWhenHalfTheWindowIsConsumed() throws ProtocolException {
        ReceiveWindow window = new ReceiveWindow(Window.ENTRIES);
        window.received(3 << 20);

        assertThat(window.consumed((2 << 20) - 1)).isZero();
        assertThat(window.consumed(1)).isEqualTo(2 << 20);
        assertThat(window.consumed(1 << 20)).isZero();
        assertThat(window.held()).isZero();
    }

    @Test
    void anOverrunIsABrokenRule() throws ProtocolException {
        ReceiveWindow window = new ReceiveWindow(Window.ENTRIES);
        window.received(4 << 20);

        assertThatThrownBy(() -> window.received(1))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("credit of 0");
    }

    @Test
    void whatIsConsumedButNotGrantedIsNoCredit() throws ProtocolException {
        ReceiveWindow window = new ReceiveWindow(Window.ENTRIES);
        window.received(4 << 20);
        window.consumed(100);

        assertThatThrownBy(() -> window.received(100)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void theWindowDoublesWhenThePeerIsBlockedAndNothingIsHeldHere() throws ProtocolException {
        ReceiveWindow window = new ReceiveWindow(Window.CONTENT);
        window.received(16 << 20);
        window.consumed(15 << 20);

        assertThat(window.blocked()).isEqualTo(16 << 20);
        assertThat(window.size()).isEqualTo(32 << 20);
        assertThat(window.blocked()).isEqualTo(32 << 20);
        assertThat(window.blocked()).isZero();
        assertThat(window.size()).isEqualTo(64 << 20);
    }

    @Test
    void theWindowDoesNotGrowWhenWeAreTheSlowOnes() throws ProtocolException {
        ReceiveWindow window = new ReceiveWindow(Window.CONTENT);
        window.received(16 << 20);
        window.consumed(7 << 20);

        assertThat(window.blocked()).isZero();
        assertThat(window.size()).isEqualTo(16 << 20);
    }

    @Test
    void consumingMoreThanArrivedIsABug() {
        ReceiveWindow window = new ReceiveWindow(Window.CONTENT);

        assertThatThrownBy(() -> window.consumed(1)).isInstanceOf(IllegalStateException.class);
    }

    /// Two sides with frames and credits on their way, seeded: no overrun, never more held than the
    /// window, no stall.
    @Test
    void twoSidesNeverDisagree() throws ProtocolException {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SendWindow sender = new SendWindow(Window.CONTENT);
            ReceiveWindow receiver = new ReceiveWindow(Window.CONTENT);
            Deque<Long> frames = new ArrayDeque<>();
            Deque<Long> credits = new ArrayDeque<>();
            Deque<Long> held = new ArrayDeque<>();
            boolean blocked = false;
            long sent = 0;
            for (int step = 0; step < 3000; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        long bytes = 1L + random.nextInt(FrameCodec.MAX_PAYLOAD);
                        if (sender.tryTake(bytes)) {
                            frames.add(bytes);
                            sent += bytes;
                        } else {
                            blocked |= sender.sayBlocked();
                        }
                    }
                    case 1 -> {
                        if (!frames.isEmpty()) {
                            receiver.received(frames.peek());
                            held.add(frames.remove());
                        } else if (blocked) {
                            blocked = false;
                            credits.add(receiver.blocked());
                        }
                    }
                    case 2 -> {
                        if (!held.isEmpty()) {
                            credits.add(receiver.consumed(held.remove()));
                        }
                    }
                    default -> {
                        if (!credits.isEmpty() && credits.peek() > 0) {
                            sender.grant(credits.remove());
                        } else {
                            credits.poll();
                        }
                    }
                }
                assertThat(receiver.held()).isLessThanOrEqualTo(receiver.size());
                assertThat(receiver.size()).isLessThanOrEqualTo(Window.CONTENT.maximum());
            }
            assertThat(sent).as("seed %d", seed).isGreaterThan(200L << 20);
        }
    }

    @Test
    void everyWindowHoldsTheLongestFrameThatCountsAgainstIt() {
        assertThat(Window.ENTRIES.initial() / 2).isGreaterThan(FrameType.ENTRIES.maxPayload + FrameCodec.HEADER);
        assertThat(Window.ANSWERS.initial() / 2).isGreaterThan(FrameType.WANT.maxPayload + FrameCodec.HEADER);
        assertThat(Window.CONTENT.initial() / 2).isGreaterThan(FrameType.CONTENT.maxPayload + FrameCodec.HEADER);
    }
}
