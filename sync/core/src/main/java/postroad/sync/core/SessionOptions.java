package postroad.sync.core;

import java.util.OptionalLong;

/// What a side asks of a session; what holds is [#merged] from both sides.
///
/// @param delete names that the sender does not have are removed at the receiver; only when both sides
///     say so, and never for a single file
/// @param maxDelete the most names to remove: beyond it none is
/// @param dryRun nothing is changed on either side, only told
/// @param checksum content is compared whatever size and time say
/// @param single the sender brings one file, not the contents of a folder; only its word counts
/// @param compression whether blocks are compressed
/// @param inFlight how many files may be under way at a time; 1 is lock-step
/// @param parallel how many links
/// @param patterns names that are left alone on both sides
public record SessionOptions(
        boolean delete,
        OptionalLong maxDelete,
        boolean dryRun,
        boolean checksum,
        boolean single,
        Compression compression,
        int inFlight,
        int parallel,
        PatternList patterns) {
    /// The most files under way.
    public static final int MAX_IN_FLIGHT = 1_000_000;
    /// The most links.
    public static final int MAX_PARALLEL = 16;
    /// What holds when nobody asks for anything.
    public static final SessionOptions DEFAULT = new SessionOptions(
            false, OptionalLong.empty(), false, false, false, Compression.AUTO, 65_536, 4, PatternList.NONE);

    /// Checks the ranges.
    public SessionOptions {
        if (maxDelete.isPresent() && maxDelete.getAsLong() < 0) {
            throw new IllegalArgumentException("max-delete is " + maxDelete.getAsLong());
        }
        if (inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
            throw new IllegalArgumentException("in-flight is " + inFlight + ", not 1 to " + MAX_IN_FLIGHT);
        }
        if (parallel < 1 || parallel > MAX_PARALLEL) {
            throw new IllegalArgumentException("parallel is " + parallel + ", not 1 to " + MAX_PARALLEL);
        }
    }

    /// What holds for a session of these two sides: each can make it more careful, none less.
    public static SessionOptions merged(SessionOptions sender, SessionOptions receiver) {
        return new SessionOptions(
                sender.delete && receiver.delete && !sender.single,
                smaller(sender.maxDelete, receiver.maxDelete),
                sender.dryRun || receiver.dryRun,
                sender.checksum || receiver.checksum,
                sender.single,
                sender.compression.with(receiver.compression),
                Math.min(sender.inFlight, receiver.inFlight),
                Math.min(sender.parallel, receiver.parallel),
                sender.patterns.and(receiver.patterns));
    }

    private static OptionalLong smaller(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return OptionalLong.of(Math.min(one.getAsLong(), other.getAsLong()));
    }

    /// Whether each link carries one file at a time, from the want to the outcome, and all of it.
    public boolean lockStep() {
        return inFlight == 1;
    }

    /// The same with another choice.
    public SessionOptions withDelete(boolean choice) {
        return new SessionOptions(
                choice, maxDelete, dryRun, checksum, single, compression, inFlight, parallel, patterns);
    }

    /// The same with another limit.
    public SessionOptions withMaxDelete(OptionalLong limit) {
        return new SessionOptions(delete, limit, dryRun, checksum, single, compression, inFlight, parallel, patterns);
    }

    /// The same with another choice.
    public SessionOptions withDryRun(boolean choice) {
        return new SessionOptions(
                delete, maxDelete, choice, checksum, single, compression, inFlight, parallel, patterns);
    }

    /// The same with another choice.
    public SessionOptions withChecksum(boolean choice) {
        return new SessionOptions(delete, maxDelete, dryRun, choice, single, compression, inFlight, parallel, patterns);
    }

    /// The same with another choice.
    public SessionOptions withSingle(boolean choice) {
        return new SessionOptions(
                delete, maxDelete, dryRun, checksum, choice, compression, inFlight, parallel, patterns);
    }

    /// The same with another choice.
    public SessionOptions withCompression(Compression choice) {
        return new SessionOptions(delete, maxDelete, dryRun, checksum, single, choice, inFlight, parallel, patterns);
    }

    /// The same with another number.
    public SessionOptions withInFlight(int number) {
        return new SessionOptions(delete, maxDelete, dryRun, checksum, single, compression, number, parallel, patterns);
    }

    /// The same with another number.
    public SessionOptions withParallel(int number) {
        return new SessionOptions(delete, maxDelete, dryRun, checksum, single, compression, inFlight, number, patterns);
    }

    /// The same with another list.
    public SessionOptions withPatterns(PatternList list) {
        return new SessionOptions(delete, maxDelete, dryRun, checksum, single, compression, inFlight, parallel, list);
    }
}
