package postroad.sync.core;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One message of the protocol between a sender and a receiver. `docs/protocol/sync.md` says what each
/// means and its bytes.
public sealed interface Frame {
    /// The flow-control window that it counts against; empty for the few that are small and must always
    /// get through.
    default Optional<Window> countsAgainst() {
        return switch (this) {
            case Entries _, PackedEntries _, EntriesEnd _ -> Optional.of(Window.ENTRIES);
            case Want _, Missing _, Failed _, Done _, Deleted _ -> Optional.of(Window.ANSWERS);
            case Content _, RecipePart _ -> Optional.of(Window.CONTENT);
            case Hello _, Join _, Stop _, Summary _, Bye _, Credit _, Blocked _, Ping _, Pong _, Unknown _ ->
                Optional.empty();
        };
    }

    /// The first frame of each side on link 0.
    ///
    /// @param version the newest version that this side speaks
    /// @param leastVersion the oldest one
    /// @param session drawn by the sender; the receiver says the same
    /// @param links how many links the sender means to open, how many the receiver takes
    /// @param software name and version of the program, for people
    /// @param proof that this side knows the secret of a pairing line; empty without one
    @SuppressWarnings("ArrayRecordComponent") // equality is by content
    record Hello(
            int version,
            int leastVersion,
            SessionId session,
            Role role,
            int links,
            SessionOptions options,
            String software,
            byte[] proof)
            implements Frame {
        /// The most bytes of a proof.
        public static final int MAX_PROOF = 64;

        /// Checks the ranges and makes the text safe to print.
        public Hello {
            if (leastVersion < 1 || version < leastVersion || version > 0xffff) {
                throw new IllegalArgumentException("versions " + leastVersion + " to " + version);
            }
            if (links < 1 || links > SessionOptions.MAX_PARALLEL) {
                throw new IllegalArgumentException(links + " links");
            }
            if (proof.length > MAX_PROOF) {
                throw new IllegalArgumentException("a proof of " + proof.length + " bytes");
            }
            software = Texts.safe(software, Texts.MAX_SOFTWARE);
            proof = proof.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Hello that
                    && version == that.version
                    && leastVersion == that.leastVersion
                    && session.equals(that.session)
                    && role == that.role
                    && links == that.links
                    && options.equals(that.options)
                    && software.equals(that.software)
                    && Arrays.equals(proof, that.proof);
        }

        @Override
        public int hashCode() {
            return session.hashCode();
        }

        /// Without the proof and the session's id, which are secrets.
        @Override
        public String toString() {
            return "Hello[" + leastVersion + " to " + version + ", " + role + ", " + links + " links, " + options + ", "
                    + software + "]";
        }
    }

    /// The first frame of each side on any other link.
    ///
    /// @param link its number, from 1
    record Join(SessionId session, int link) implements Frame {
        /// Checks the range.
        public Join {
            if (link < 1 || link >= SessionOptions.MAX_PARALLEL) {
                throw new IllegalArgumentException("no link " + link);
            }
        }
    }

    /// The session ends now, unfinished. Nothing follows it.
    ///
    /// @param text for people
    record Stop(StopCode code, String text) implements Frame {
        /// Makes the text safe to print.
        public Stop {
            text = Texts.safe(text, Texts.MAX_REASON);
        }
    }

    /// A page of the sender's tree, in the order of its paths.
    record Entries(List<Entry> entries) implements Frame {
        /// Checks the order and copies the list; a [Page] knows when it is long enough.
        ///
        /// @throws IllegalArgumentException if it is not in order, or the names have more than
        ///     [Page#MAX_NAMES] bytes
        public Entries {
            entries = List.copyOf(entries);
            FrameCodec.checkEntries(entries);
        }
    }

    /// A page of the sender's tree, compressed: as [Entries], once somebody has decompressed it and
    /// [FrameCodec#unpacked] has read it.
    ///
    /// @param count how many entries it says that it has
    /// @param rawLength how many bytes they have uncompressed
    /// @param data one DEFLATE stream; taken as it is, so its maker leaves it alone
    @SuppressWarnings("ArrayRecordComponent") // equality is by content
    record PackedEntries(int count, int rawLength, byte[] data) implements Frame {
        /// Checks that it is shorter than the entries, and that they may have these numbers.
        public PackedEntries {
            FrameCodec.checkPacked(count, rawLength, data.length);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PackedEntries that
                    && count == that.count
                    && rawLength == that.rawLength
                    && Arrays.equals(data, that.data);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(data);
        }

        @Override
        public String toString() {
            return "PackedEntries[" + count + ", " + data.length + " bytes for " + rawLength + "]";
        }
    }

    /// The sender's tree was walked to its end.
    ///
    /// @param count how many entries there were
    /// @param complete false when a part of the tree could not be read, so that nothing may be deleted
    record EntriesEnd(long count, boolean complete) implements Frame {
        /// Checks the range.
        public EntriesEnd {
            if (count < 0) {
                throw new IllegalArgumentException(count + " entries");
            }
        }
    }

    /// Files that the receiver asks for.
    record Want(List<WantedFile> files) implements Frame {
        /// Copies the list.
        ///
        /// @throws IllegalArgumentException if it is longer than [FrameCodec#MAX_ITEMS]
        public Want {
            FrameCodec.checkItems(files.size());
            files = List.copyOf(files);
        }
    }

    /// A block: chunks of one or many files.
    ///
    /// @param compressed whether the data is one Zstandard frame
    /// @param rawLength how many bytes it has uncompressed: those of all chunks
    /// @param buffer holds the data at `offset`, `length` bytes of it; not copied
    @SuppressWarnings("ArrayRecordComponent") // equality is by content
    record Content(List<Segment> segments, boolean compressed, int rawLength, byte[] buffer, int offset, int length)
            implements Frame {
        /// Checks that segments and data agree.
        public Content {
            segments = List.copyOf(segments);
            Objects.checkFromIndexSize(offset, length, buffer.length);
            FrameCodec.checkContent(segments, compressed, rawLength, length);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Content that
                    && segments.equals(that.segments)
                    && compressed == that.compressed
                    && rawLength == that.rawLength
                    && Arrays.equals(
                            buffer, offset, offset + length, that.buffer, that.offset, that.offset + that.length);
        }

        @Override
        public int hashCode() {
            return segments.hashCode() * 31 + length;
        }

        @Override
        public String toString() {
            return "Content[" + segments + ", " + length + " bytes for " + rawLength + "]";
        }
    }

    /// The whole or a part of a file's recipe.
    ///
    /// @param id the file's number in the stream of entries
    /// @param attempt which time the file is sent, from 0
    /// @param firstChunk the index of the first chunk here
    /// @param end with the last part: what was read
    record RecipePart(long id, int attempt, int firstChunk, ShortRecipe chunks, Optional<FileEnd> end)
            implements Frame {
        /// Checks the ranges.
        public RecipePart {
            checkAttempt(id, attempt);
            if (firstChunk < 0 || firstChunk > Integer.MAX_VALUE - chunks.count()) {
                throw new IllegalArgumentException("a recipe's part of " + chunks.count() + " from " + firstChunk);
            }
            FrameCodec.checkItems(chunks.count());
            if (chunks.count() == 0 && end.isEmpty()) {
                throw new IllegalArgumentException("a recipe's part has neither chunks nor an end");
            }
            if (end.flatMap(FileEnd::version)
                    .filter(each -> each.size() < chunks.size())
                    .isPresent()) {
                throw new IllegalArgumentException("a recipe's part is longer than the file");
            }
            if (end.isPresent() && !(end.get().root() instanceof RootClaim.Whole)) {
                throw new IllegalArgumentException("a recipe has only the head of its root");
            }
        }
    }

    /// Chunks of a recipe that the receiver does not have.
    ///
    /// @param id the file's number in the stream of entries
    /// @param attempt of which recipe
    /// @param ranges ascending, without overlap
    record Missing(long id, int attempt, List<ChunkRange> ranges) implements Frame {
        /// Checks the order.
        public Missing {
            checkAttempt(id, attempt);
            FrameCodec.checkItems(ranges.size());
            ranges = List.copyOf(ranges);
            int end = 0;
            for (ChunkRange each : ranges) {
                if (each.first() < end) {
                    throw new IllegalArgumentException("ranges of chunks overlap or are not in order");
                }
                end = each.end();
            }
        }
    }

    /// A file that is not brought over. Either side says it.
    ///
    /// @param id its number in the stream of entries; [#NO_ID] when it is not in there
    /// @param path for people, as [Shown] makes it; may be empty when the id says enough
    /// @param text for people
    record Failed(long id, String path, FailureCode code, String text) implements Frame {
        /// Known by its path only.
        public static final long NO_ID = -1;

        /// Checks the range and makes the texts safe to print.
        public Failed {
            if (id < NO_ID) {
                throw new IllegalArgumentException("id " + id);
            }
            path = Texts.safe(path, Texts.MAX_SHOWN_PATH);
            text = Texts.safe(text, Texts.MAX_REASON);
        }
    }

    /// Entries that are in place, and safe on the receiver's disk.
    record Done(List<Outcome> outcomes) implements Frame {
        /// Copies the list.
        ///
        /// @throws IllegalArgumentException if it is longer than [FrameCodec#MAX_ITEMS]
        public Done {
            FrameCodec.checkItems(outcomes.size());
            outcomes = List.copyOf(outcomes);
        }
    }

    /// Names that the receiver removed.
    record Deleted(List<Deletion> deletions) implements Frame {
        /// Copies the list; a [Page] knows when it is long enough.
        ///
        /// @throws IllegalArgumentException if the names have more than [Page#MAX_NAMES] bytes
        public Deleted {
            deletions = List.copyOf(deletions);
            FrameCodec.checkDeletions(deletions);
        }
    }

    /// What the receiver did: its last word, after all others.
    ///
    /// @param files entries that were made or changed
    /// @param bytes of content that came over the links, uncompressed
    /// @param reused bytes of content that it had already
    /// @param upToDate entries that needed nothing
    /// @param deleted names removed
    /// @param failed entries that failed, whichever side said so
    /// @param deletesSkipped whether names were to be removed and were not
    record Summary(
            long files, long bytes, long reused, long upToDate, long deleted, long failed, boolean deletesSkipped)
            implements Frame {
        /// Checks the ranges.
        public Summary {
            if ((files | bytes | reused | upToDate | deleted | failed) < 0) {
                throw new IllegalArgumentException("a summary has a negative number");
            }
        }
    }

    /// The sender has read the summary: its last word.
    record Bye() implements Frame {}

    /// The other side may send `bytes` more of what counts against `window`.
    record Credit(Window window, long bytes) implements Frame {
        /// Checks the range.
        public Credit {
            if (bytes < 1) {
                throw new IllegalArgumentException("a credit of " + bytes + " bytes");
            }
        }
    }

    /// This side has something to send and no credit left in `window`.
    record Blocked(Window window) implements Frame {}

    /// Asks for a [Pong], so that the link is never silent.
    record Ping(long number) implements Frame {}

    /// The answer to a [Ping].
    record Pong(long number) implements Frame {}

    /// An optional frame that this version does not know; it is skipped.
    ///
    /// @param type 0x80 to 0xff
    /// @param length bytes of its payload
    record Unknown(int type, int length) implements Frame {}

    private static void checkAttempt(long id, int attempt) {
        if (id < 0 || attempt < 0 || attempt >= Segment.MAX_ATTEMPTS) {
            throw new IllegalArgumentException("id " + id + ", attempt " + attempt);
        }
    }
}
