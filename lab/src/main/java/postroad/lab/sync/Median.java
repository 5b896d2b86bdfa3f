package postroad.lab.sync;

import java.util.stream.DoubleStream;

/// The middle of measured values.
public final class Median {
    private Median() {}

    /// Of an even number of values it is the mean of the two in the middle; there must be one at least.
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
