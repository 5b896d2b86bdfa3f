package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.lab.process.Child;

/// One process for each processor that spins at the scheduler's idle priority: it gives way at once to whatever else
/// can run, and keeps the processor from falling asleep.
///
/// In a virtual machine a sleeping processor takes a hundred microseconds to wake, which is more than a small REQ.
final class Spinners implements AutoCloseable {
    private final List<Child> children = new ArrayList<>();

    private Spinners() {}

    /// Starts them; empty where there is no `chrt`.
    static Optional<Spinners> tryStart() {
        Spinners spinners = new Spinners();
        try {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                spinners.children.add(
                        Child.start(new ProcessBuilder("chrt", "--idle", "0", "sh", "-c", "while :; do :; done")));
            }
            return Optional.of(spinners);
        } catch (IOException e) {
            spinners.close();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        children.forEach(Child::close);
    }
}
