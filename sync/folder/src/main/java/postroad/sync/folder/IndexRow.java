package postroad.sync.folder;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.TreePath;

/// One file's row in the index of hashed chunks, and its bytes.
///
/// All numbers are big-endian:
///
/// ```
/// head sum 4 | body sum 4 | class 1 | device 8 | inode 8 | size 8 | mtime 8 + 4 | ctime 8 + 4 | hashed at, ms 8
/// | chunks 4 | path length 4 | path
/// body: for each chunk length 4 | SHA-256 32
/// ```
///
/// The sums are CRC-32C: of the head behind both sums, path included, and of the body. A row that does not agree with
/// its sums is none.
///
/// @param path where the file is
/// @param version what [EntryStat#isSameVersion] compares; its other parts say nothing
/// @param cutAs the class of its chunks
/// @param hashedAt when that was, in milliseconds since 1970
/// @param chunks how many there are
/// @param bodySum the sum of the body
record IndexRow(TreePath path, EntryStat version, ChunkClass cutAs, long hashedAt, int chunks, int bodySum) {
    /// Bytes before the path.
    static final int FIXED = 4 + 4 + 1 + 3 * 8 + 2 * (8 + 4) + 8 + 4 + 4;
    /// Bytes of a chunk.
    static final int CHUNK = 4 + Bytes32.LENGTH;

    private static final int SUMMED_FROM = 8;
    private static final int PATH_LENGTH_AT = FIXED - 4;

    /// A change within this time of the hashing may leave the times as they are: file systems count in ticks, up to
    /// two seconds long.
    private static final long YOUNG_MILLIS = 2000;

    private static final long YOUNG_SECONDS = YOUNG_MILLIS / 1000 + 1;

    /// Whether the file was old enough when it was hashed that its times tell every later change.
    boolean isTrusted() {
        long hashed = Math.floorDiv(hashedAt, 1000L);
        boolean changedBefore = version.changedSeconds() < hashed - YOUNG_SECONDS
                || version.changedSeconds() <= hashed + YOUNG_SECONDS
                        && age(version.changedSeconds(), version.changedNanos()) > YOUNG_MILLIS;
        boolean modifiedElsewhen = version.seconds() < hashed - YOUNG_SECONDS
                || version.seconds() > hashed + YOUNG_SECONDS
                || Math.abs(age(version.seconds(), version.nanos())) > YOUNG_MILLIS;
        return changedBefore && modifiedElsewhen;
    }

    private long age(long seconds, int nanos) {
        return hashedAt - (seconds * 1000 + nanos / 1_000_000);
    }

    /// The whole row of a file whose chunks are `recipe`.
    static byte[] encode(TreePath path, EntryStat version, Recipe recipe, long hashedAt) {
        int bodyAt = FIXED + path.length();
        ByteBuffer row = ByteBuffer.allocate(bodyAt + recipe.count() * CHUNK);
        row.position(bodyAt);
        for (int i = 0; i < recipe.count(); i++) {
            row.putInt(recipe.length(i));
            recipe.hash(i).copyTo(row.array(), row.position());
            row.position(row.position() + Bytes32.LENGTH);
        }
        row.position(SUMMED_FROM);
        row.put((byte) recipe.chunkClass().number());
        row.putLong(version.device()).putLong(version.inode()).putLong(version.size());
        row.putLong(version.seconds()).putInt(version.nanos());
        row.putLong(version.changedSeconds()).putInt(version.changedNanos());
        row.putLong(hashedAt).putInt(recipe.count()).putInt(path.length());
        path.copyTo(0, row.array(), FIXED);
        row.putInt(0, sum(row.array(), SUMMED_FROM, bodyAt));
        row.putInt(4, sum(row.array(), bodyAt, row.capacity()));
        return row.array();
    }

    /// How long the head of the row that begins with `fixed` is; 0 when it is none.
    static int headLength(byte[] fixed, long rowLength) {
        int pathLength = ByteBuffer.wrap(fixed).getInt(PATH_LENGTH_AT);
        boolean fits = pathLength > 0 && pathLength <= TreePath.MAX_LENGTH && FIXED + pathLength <= rowLength;
        return fits ? FIXED + pathLength : 0;
    }

    /// Reads a head, [#headLength] bytes; empty when it is damaged.
    static Optional<IndexRow> head(byte[] head, long rowLength) {
        ByteBuffer row = ByteBuffer.wrap(head);
        if (row.getInt() != sum(head, SUMMED_FROM, head.length)) {
            return Optional.empty();
        }
        int bodySum = row.getInt();
        Optional<ChunkClass> cutAs = ChunkClass.ofNumber(row.get());
        EntryStat version = new EntryStat(
                row.getLong(),
                row.getLong(),
                row.getLong(),
                row.getLong(),
                row.getInt(),
                row.getLong(),
                row.getInt(),
                0,
                EntryStat.Type.FILE,
                1,
                0);
        long hashedAt = row.getLong();
        int chunks = row.getInt();
        byte[] path = new byte[row.getInt()];
        row.get(path);
        if (cutAs.isEmpty() || chunks < 0 || rowLength != head.length + (long) chunks * CHUNK) {
            return Optional.empty();
        }
        return Optional.of(new IndexRow(TreePath.of(path), version, cutAs.get(), hashedAt, chunks, bodySum));
    }

    /// The chunks of a body; empty when it is damaged.
    Optional<Recipe> recipe(byte[] body) {
        if (sum(body, 0, body.length) != bodySum) {
            return Optional.empty();
        }
        ByteBuffer chunk = ByteBuffer.wrap(body);
        Recipe.Builder recipe = new Recipe.Builder(cutAs);
        for (int at = 0; at < body.length; at += CHUNK) {
            recipe.add(chunk.getInt(at), body, at + 4);
        }
        Recipe built = recipe.build();
        return built.size() == version.size() ? Optional.of(built) : Optional.empty();
    }

    /// The sum of the body of an encoded row.
    static int bodySumOf(byte[] row) {
        return ByteBuffer.wrap(row).getInt(4);
    }

    private static int sum(byte[] bytes, int from, int to) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, to - from);
        return (int) sum.getValue();
    }
}
