package postroad.sync.peer;

import java.util.HashMap;
import java.util.Map;

/// The files under way, from the moment they are wanted until they are done or have failed: how
/// much of each has moved, and which are still compared. Thread-safe; bounded by how many files may
/// be under way.
///
/// Each byte of a file counts once: when it travels, or, where it is at the receiver already, as
/// soon as that is known. A file that begins anew begins at nothing; one that is over has moved as a
/// whole. What is said of an attempt that is over counts for nothing.
final class UnderWay {
    private static final class Part {
        final long size;
        final boolean described;
        int attempt;
        boolean compared;
        long read;
        long here;
        long came;

        Part(long size, boolean described) {
            this.size = size;
            this.described = described;
            this.compared = !described;
        }

        /// A file may have grown since it was announced.
        long moved() {
            return Math.min(size, Math.max(0, here) + came);
        }

        long comparing() {
            return compared ? 0 : size;
        }

        long compareRead() {
            return compared ? 0 : Math.min(size, read);
        }
    }

    private final Map<Long, Part> files = new HashMap<>();
    private long moved;
    private long comparingFiles;
    private long comparing;
    private long compareRead;

    /// A file is wanted.
    ///
    /// @param described whether its recipe comes first: nobody knows yet how much of it has to travel
    synchronized void wanted(long id, long size, boolean described) {
        Part part = new Part(size, described);
        if (files.putIfAbsent(id, part) == null) {
            count(part, 1);
        }
    }

    /// An attempt at the file begins.
    synchronized void begins(long id, int attempt) {
        Part part = files.get(id);
        if (part != null && part.attempt < attempt) {
            count(part, -1);
            part.attempt = attempt;
            part.compared = !part.described;
            part.read = 0;
            part.here = 0;
            part.came = 0;
            count(part, 1);
        }
    }

    /// So many bytes were read to find out what of the file is at the receiver.
    synchronized void read(long id, int attempt, long bytes) {
        Part part = of(id, attempt);
        if (part != null) {
            count(part, -1);
            part.read += bytes;
            count(part, 1);
        }
    }

    /// So many bytes of the file's `size` are not at the receiver; said again, so many more.
    synchronized void missing(long id, int attempt, long size, long bytes) {
        Part part = of(id, attempt);
        if (part != null) {
            count(part, -1);
            part.here = (part.compared ? part.here : size) - bytes;
            part.compared = true;
            count(part, 1);
        }
    }

    /// So many bytes of the file have travelled.
    synchronized void came(long id, int attempt, long bytes) {
        Part part = of(id, attempt);
        if (part != null) {
            count(part, -1);
            part.came += bytes;
            count(part, 1);
        }
    }

    /// The file is done or has failed.
    synchronized void settled(long id) {
        Part part = files.remove(id);
        if (part != null) {
            count(part, -1);
            moved += part.size;
        }
    }

    private Part of(long id, int attempt) {
        begins(id, attempt);
        Part part = files.get(id);
        return part == null || part.attempt != attempt ? null : part;
    }

    private void count(Part part, int sign) {
        moved += sign * part.moved();
        comparingFiles += part.compared ? 0 : sign;
        comparing += sign * part.comparing();
        compareRead += sign * part.compareRead();
    }

    /// How far they are.
    ///
    /// @param moved bytes that have moved of all files that were ever wanted
    /// @param comparing the files that are compared
    record State(long moved, Meter.Comparing comparing) {}

    synchronized State state() {
        return new State(moved, new Meter.Comparing(comparingFiles, comparing, compareRead));
    }
}
