package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.Window;

/// What the sender says that it is doing, in whichever order the scan and the receiver's answer come.
final class SenderPhaseTest {
    private final Meter meter = new Meter();
    private final SenderMachine machine = new SenderMachine(
            new EntryTable(1 << 20), SessionOptions.DEFAULT, new Nothing(), new Sessions.Told(), meter);

    @Test
    void aScanThatEndsBeforeTheAnswerIsNotGoneBackTo() {
        machine.take(new SenderEvent.ScanEnded(0, true));
        assertThat(meter.phase()).isEqualTo(Meter.Phase.CONNECTING);
        machine.take(hello());
        assertThat(meter.phase()).isEqualTo(Meter.Phase.SENDING);
    }

    @Test
    void aScanThatEndsAfterTheAnswerIsShown() {
        machine.take(hello());
        assertThat(meter.phase()).isEqualTo(Meter.Phase.SCANNING);
        machine.take(new SenderEvent.ScanEnded(0, true));
        assertThat(meter.phase()).isEqualTo(Meter.Phase.SENDING);
    }

    static SenderEvent hello() {
        Frame hello = new Frame.Hello(
                Protocol.VERSION,
                Protocol.LEAST_VERSION,
                SessionIds.draw(),
                Role.RECEIVER,
                1,
                SessionOptions.DEFAULT,
                Protocol.SOFTWARE,
                new byte[0]);
        return new SenderEvent.Received(0, hello, 100);
    }

    /// Nothing happens.
    static final class Nothing implements SenderMachine.Effects {
        @Override
        public void answer(Frame frame) {}

        @Override
        public void urgent(Frame frame) {}

        @Override
        public void entriesEnd(Frame.EntriesEnd end) {}

        @Override
        public void consumed(Window window, int bytes) {}

        @Override
        public void agreed(SessionOptions options) {}

        @Override
        public void work(Job job) {}

        @Override
        public void forget(long id) {}

        @Override
        public Set<Long> lostWith(int link) {
            return Set.of();
        }

        @Override
        public void end(SessionEnd end) {}
    }
}
