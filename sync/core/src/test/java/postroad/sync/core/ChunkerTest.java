package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import postroad.common.Hex;
import postroad.common.Sha256;

/// Cuts depend on content alone, stay within the class's lengths and never change from one version to
/// the next.
class ChunkerTest {
    /// Offset, length, leading bytes of the SHA-256: what peers of all versions agree on.
    @Test
    void theCutsOfAKnownFileAreTheseForEver() {
        byte[] file = random(1, 100_000);

        List<String> cuts = describe(file, cut(file, ChunkClass.SMALL));

        assertThat(cuts).containsExactly(GOLDEN);
    }

    @ParameterizedTest
    @EnumSource(ChunkClass.class)
    void cutsAsTheSlowDefinitionDoes(ChunkClass chunkClass) {
        byte[] file = random(2, 5 * chunkClass.max() / 2);

        assertThat(cut(file, chunkClass)).isEqualTo(cutSlowly(file, chunkClass));
    }

    @Test
    void cutsTextThatRepeatsAsTheSlowDefinitionDoes() {
        Random random = new Random(3);
        byte[] file = new byte[200_000];
        for (int i = 0; i < file.length; i++) {
            file[i] = (byte) (random.nextInt(50) == 0 ? 'b' : 'a');
        }

        assertThat(cut(file, ChunkClass.SMALL)).isEqualTo(cutSlowly(file, ChunkClass.SMALL));
    }

    @Test
    void nothingHasNoChunk() {
        assertThat(new Chunker(ChunkClass.SMALL).cut(new byte[10], 4, 4)).isZero();
    }

    @Test
    void aTinyFileIsOneChunk() {
        byte[] file = random(4, 10);

        assertThat(cut(file, ChunkClass.HUGE)).containsExactly(10);
    }

    @ParameterizedTest
    @EnumSource(ChunkClass.class)
    void aFileOfTheLeastLengthIsOneChunk(ChunkClass chunkClass) {
        byte[] file = random(5, chunkClass.min());

        assertThat(cut(file, chunkClass)).containsExactly(chunkClass.min());
    }

    @ParameterizedTest
    @EnumSource(ChunkClass.class)
    void zerosAreCutAtTheGreatestLength(ChunkClass chunkClass) {
        byte[] file = new byte[2 * chunkClass.max() + 1];

        assertThat(cut(file, chunkClass)).containsExactly(chunkClass.max(), chunkClass.max(), 1);
        assertThat(cut(new byte[chunkClass.max()], chunkClass)).containsExactly(chunkClass.max());
    }

    @Test
    void noByteThatFillsAFileCutsItSmall() {
        for (int value = 0; value < 256; value++) {
            byte[] file = new byte[3 * ChunkClass.SMALL.max()];
            Arrays.fill(file, (byte) value);

            assertThat(cut(file, ChunkClass.SMALL)).as("byte %d", value).hasSize(3);
        }
    }

    @Test
    void lengthsStayWithinTheClass() {
        for (ChunkClass chunkClass : ChunkClass.values()) {
            List<Integer> lengths = cut(random(6, 20 * chunkClass.average()), chunkClass);

            assertThat(lengths).allMatch(each -> each <= chunkClass.max());
            assertThat(lengths.subList(0, lengths.size() - 1)).allMatch(each -> each >= chunkClass.min());
        }
    }

    @Test
    void theMeanIsNearTheAverage() {
        List<Integer> lengths = cut(random(7, 8 << 20), ChunkClass.SMALL);

        int mean = (8 << 20) / lengths.size();

        assertThat(mean).isBetween(8 << 10, 11 << 10);
    }

    @Test
    void whatIsBeforeAndBehindTheRangeDoesNotMatter() {
        byte[] file = random(8, ChunkClass.SMALL.max());
        byte[] elsewhere = random(9, file.length + 300);
        System.arraycopy(file, 0, elsewhere, 100, file.length);
        Chunker chunker = new Chunker(ChunkClass.SMALL);

        assertThat(chunker.cut(elsewhere, 100, 100 + file.length)).isEqualTo(chunker.cut(file, 0, file.length));
    }

    @Test
    void anInsertionChangesFewChunks() {
        byte[] file = random(10, 1 << 20);
        for (int at : new int[] {0, 1, 5000, 500_000, file.length}) {
            byte[] edited = new byte[file.length + 3];
            System.arraycopy(file, 0, edited, 0, at);
            System.arraycopy(file, at, edited, at + 3, file.length - at);

            assertThat(unknown(edited, file)).as("at %d", at).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void aDeletionChangesFewChunks() {
        byte[] file = random(11, 1 << 20);
        for (int at : new int[] {0, 1, 5000, 500_000, file.length - 7}) {
            byte[] edited = new byte[file.length - 7];
            System.arraycopy(file, 0, edited, 0, at);
            System.arraycopy(file, at + 7, edited, at, edited.length - at);

            assertThat(unknown(edited, file)).as("at %d", at).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void classesFollowTheSize() {
        assertThat(ChunkClass.ofSize(0)).isEqualTo(ChunkClass.SMALL);
        assertThat(ChunkClass.ofSize((4L << 20) - 1)).isEqualTo(ChunkClass.SMALL);
        assertThat(ChunkClass.ofSize(4L << 20)).isEqualTo(ChunkClass.MEDIUM);
        assertThat(ChunkClass.ofSize(64L << 20)).isEqualTo(ChunkClass.LARGE);
        assertThat(ChunkClass.ofSize((2L << 30) - 1)).isEqualTo(ChunkClass.LARGE);
        assertThat(ChunkClass.ofSize(2L << 30)).isEqualTo(ChunkClass.HUGE);
        assertThat(ChunkClass.ofSize(Long.MAX_VALUE)).isEqualTo(ChunkClass.HUGE);
        for (ChunkClass each : ChunkClass.values()) {
            assertThat(ChunkClass.ofNumber(each.number())).contains(each);
        }
        assertThat(ChunkClass.ofNumber(0)).isEmpty();
        assertThat(ChunkClass.ofNumber(5)).isEmpty();
    }

    private static final String[] GOLDEN = {
        "0 8625 b13e6e5a7bcff918",
        "8625 4627 d58fe0bf8869f619",
        "13252 8353 67da56bfc999287b",
        "21605 10258 3073ea74bec1b824",
        "31863 6639 537fa5cea0bc7a27",
        "38502 9872 28817959a35b5c69",
        "48374 9383 8e459d0d3a224ce0",
        "57757 8249 bdf0f4f4dbb0217a",
        "66006 10924 112e430e5773403a",
        "76930 4146 a39e358cc04bf5e8",
        "81076 12493 4372db411e9de100",
        "93569 6431 6ea49a1a91f55e58",
    };

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static List<Integer> cut(byte[] file, ChunkClass chunkClass) {
        Chunker chunker = new Chunker(chunkClass);
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < file.length; ) {
            int length = chunker.cut(file, at, file.length);
            lengths.add(length);
            at += length;
        }
        return lengths;
    }

    private static List<String> describe(byte[] file, List<Integer> lengths) {
        List<String> described = new ArrayList<>();
        int at = 0;
        for (int each : lengths) {
            described.add(at + " " + each + " " + id(file, at, each).substring(0, 16));
            at += each;
        }
        return described;
    }

    private static String id(byte[] file, int at, int length) {
        return Hex.encode(Sha256.of(Arrays.copyOfRange(file, at, at + length)));
    }

    /// How many chunks of `edited` are not in `file`.
    private static int unknown(byte[] edited, byte[] file) {
        Set<String> known = new HashSet<>(ids(file));
        List<String> ids = ids(edited);
        ids.removeIf(known::contains);
        return ids.size();
    }

    private static List<String> ids(byte[] file) {
        List<String> ids = new ArrayList<>();
        int at = 0;
        for (int each : cut(file, ChunkClass.SMALL)) {
            ids.add(id(file, at, each));
            at += each;
        }
        return ids;
    }

    /// The definition, word by word: the hash of the last 64 bytes is made anew at each place.
    private static List<Integer> cutSlowly(byte[] file, ChunkClass chunkClass) {
        List<Integer> lengths = new ArrayList<>();
        int from = 0;
        while (from < file.length) {
            int length = 1;
            while (from + length < file.length && !endsSlowly(file, from, length, chunkClass)) {
                length++;
            }
            lengths.add(length);
            from += length;
        }
        return lengths;
    }

    private static boolean endsSlowly(byte[] file, int from, int length, ChunkClass chunkClass) {
        if (length < chunkClass.min() || length == chunkClass.max()) {
            return length == chunkClass.max();
        }
        int bits = Integer.numberOfTrailingZeros(chunkClass.average());
        int zeros = length < chunkClass.average() ? bits + 2 : bits - 2;
        long hash = 0;
        for (int back = 0; back < 64; back++) {
            hash += SLOW_GEAR[file[from + length - 1 - back] & 0xff] << back;
        }
        return Long.numberOfLeadingZeros(hash) >= zeros;
    }

    private static final long[] SLOW_GEAR = slowGear();

    private static long[] slowGear() {
        long[] gear = new long[256];
        for (int value = 0; value < 256; value++) {
            byte[] text = Arrays.copyOf("postroad gear 01".getBytes(StandardCharsets.US_ASCII), 17);
            text[16] = (byte) value;
            gear[value] = new BigInteger(1, Arrays.copyOf(Sha256.of(text), 8)).longValue();
        }
        return gear;
    }
}
