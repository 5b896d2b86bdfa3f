package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.wire.Fingerprint;
import postroad.wire.ForwardingLink;
import postroad.wire.Link;
import postroad.wire.MemoryLinks;

/// Who gets the one seat of a host.
final class SeatTest {
    private static final Duration SIGN = Duration.ofSeconds(1);

    private final Seat seat = new Seat("receiver", SIGN);

    @Test
    void isFreeWhenItsSessionIsOver() throws Exception {
        assertThat(seat.claim(link('a'))).isEmpty();
        assertThat(seat.claim(link('b'))).isPresent();
        seat.leave();

        assertThat(seat.claim(link('b'))).isEmpty();
    }

    @Test
    void makesRoomForAPeerWhoseOwnSessionIsSilent() throws Exception {
        Sitter silent = sits('a', false);

        assertThat(seat.claim(link('a'))).isEmpty();
        assertThat(silent.why).contains("the same peer began anew");
        assertThat(seat.claim(link('b'))).isPresent();
    }

    @Test
    void aLiveSessionOfTheSamePeerStays() throws Exception {
        Sitter alive = sits('a', true);

        assertThat(seat.claim(link('a')).orElseThrow()).startsWith("another session is under way");
        assertThat(alive.asked).isEqualTo(1);
        assertThat(alive.why).isNull();
    }

    @Test
    void anotherPeerCannotEvenHaveItAsked() throws Exception {
        Sitter silent = sits('a', false);

        assertThat(seat.claim(link('b'))).isPresent();
        assertThat(silent.asked).isZero();
        assertThat(silent.why).isNull();
    }

    @Test
    void noPeerIsKnownAgainWithoutACertificate() throws Exception {
        Sitter silent = sits('-', false);

        assertThat(seat.claim(link('-'))).isPresent();
        assertThat(silent.asked).isZero();
    }

    @Test
    void nobodySitsDownWhenItIsClosed() throws Exception {
        seat.close();

        assertThat(seat.claim(link('a')).orElseThrow()).isEqualTo("the receiver is stopping");
    }

    private Sitter sits(char peer, boolean alive) throws InterruptedException {
        assertThat(seat.claim(link(peer))).isEmpty();
        Sitter sitter = new Sitter(alive);
        seat.sits(sitter);
        return sitter;
    }

    /// A session that leaves as soon as it is to make way.
    private final class Sitter implements Seat.Sitter {
        private final boolean alive;
        private int asked;
        private String why;

        Sitter(boolean alive) {
            this.alive = alive;
        }

        @Override
        public boolean answers(Duration within) {
            asked++;
            assertThat(within).isEqualTo(SIGN);
            return alive;
        }

        @Override
        public void makeWay(String text) {
            why = text;
            seat.leave();
        }
    }

    /// A link to the peer with this letter; `-` has no certificate.
    private static Link link(char peer) {
        Optional<Fingerprint> print = peer == '-'
                ? Optional.empty()
                : Optional.of(
                        new Fingerprint(Bytes32.ofHex(Integer.toHexString(peer).repeat(32))));
        return new ForwardingLink(MemoryLinks.pair(1).a()) {
            @Override
            public Optional<Fingerprint> peerFingerprint() {
                return print;
            }
        };
    }
}
