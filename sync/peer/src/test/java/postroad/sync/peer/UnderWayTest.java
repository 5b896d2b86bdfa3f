package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What counts as moved of files that are under way.
final class UnderWayTest {
    private static final long FILE = 7;

    private final UnderWay underWay = new UnderWay();

    @Test
    void whatIsThereCountsAsSoonAsItIsKnown() {
        underWay.wanted(FILE, 1000, true);
        long before = underWay.state().moved();
        underWay.missing(FILE, 0, 1000, 10);

        assertThat(before).isZero();
        assertThat(underWay.state().moved()).isEqualTo(990);
    }

    @Test
    void whatIsMissedAfterAllCountsWhenItTravels() {
        underWay.wanted(FILE, 1000, true);
        underWay.missing(FILE, 0, 1000, 10);
        underWay.came(FILE, 0, 10);
        long first = underWay.state().moved();
        underWay.missing(FILE, 0, 1000, 200);
        long second = underWay.state().moved();
        underWay.came(FILE, 0, 200);

        assertThat(first).isEqualTo(1000);
        assertThat(second).isEqualTo(800);
        assertThat(underWay.state().moved()).isEqualTo(1000);
    }

    @Test
    void aFileThatBeginsAnewBeginsAtNothing() {
        underWay.wanted(FILE, 1000, true);
        underWay.missing(FILE, 0, 1000, 400);
        underWay.came(FILE, 0, 100);
        underWay.begins(FILE, 1);
        long anew = underWay.state().moved();
        underWay.came(FILE, 0, 100);
        underWay.missing(FILE, 0, 1000, 0);
        long stale = underWay.state().moved();
        underWay.missing(FILE, 1, 1000, 300);

        assertThat(anew).isZero();
        assertThat(stale).as("of the attempt that is over").isZero();
        assertThat(underWay.state().moved()).isEqualTo(700);
    }

    @Test
    void aFileThatIsOverCountsOnceAndAsAWhole() {
        underWay.wanted(FILE, 1000, true);
        underWay.wanted(8, 500, false);
        underWay.missing(FILE, 0, 1000, 400);
        underWay.came(FILE, 0, 100);
        underWay.settled(FILE);
        underWay.settled(FILE);
        underWay.came(FILE, 0, 300);
        underWay.missing(FILE, 0, 1000, 10);

        assertThat(underWay.state().moved()).isEqualTo(1000);
        assertThat(underWay.state().comparing()).isEqualTo(new Meter.Comparing(0, 0, 0));
    }

    @Test
    void aFileThatGrewCountsNoMoreThanWasAnnounced() {
        underWay.wanted(FILE, 1000, false);
        underWay.came(FILE, 0, 1500);
        long whole = underWay.state().moved();
        underWay.wanted(8, 1000, true);
        underWay.missing(8, 0, 1500, 100);

        assertThat(whole).isEqualTo(1000);
        assertThat(underWay.state().moved()).isEqualTo(2000);
    }

    @Test
    void isComparingUntilItIsKnownWhatIsMissing() {
        underWay.wanted(FILE, 1000, true);
        underWay.wanted(8, 500, false);
        underWay.read(FILE, 0, 600);
        underWay.read(FILE, 0, 600);
        Meter.Comparing before = underWay.state().comparing();
        underWay.missing(FILE, 0, 1000, 10);
        Meter.Comparing known = underWay.state().comparing();
        underWay.begins(FILE, 1);
        underWay.begins(8, 1);

        assertThat(before).isEqualTo(new Meter.Comparing(1, 1000, 1000));
        assertThat(known).isEqualTo(new Meter.Comparing(0, 0, 0));
        assertThat(underWay.state().comparing()).isEqualTo(new Meter.Comparing(1, 1000, 0));
    }
}
