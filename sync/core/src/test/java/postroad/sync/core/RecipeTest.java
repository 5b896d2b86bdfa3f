package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.common.Sha256;

/// Recipes keep what was put into them, and a root hash tells every two of them apart.
class RecipeTest {
    @Test
    void aRecipeKeepsLengthsOffsetsAndHashes() {
        Recipe recipe = recipe(1000, 1);

        long offset = 0;
        for (int i = 0; i < 1000; i++) {
            assertThat(recipe.length(i)).isEqualTo(length(i));
            assertThat(recipe.offset(i)).isEqualTo(offset);
            assertThat(recipe.hash(i)).isEqualTo(hash(1, i));
            assertThat(recipe.shortId(i)).isEqualTo(ShortId.of(hash(1, i)));
            offset += length(i);
        }
        assertThat(recipe.offset(1000)).isEqualTo(offset).isEqualTo(recipe.size());
        assertThat(recipe.count()).isEqualTo(1000);
        assertThat(recipe.chunkClass()).isEqualTo(ChunkClass.SMALL);
    }

    @Test
    void partsOfARecipeMakeUpTheWhole() {
        Recipe recipe = recipe(1000, 1);
        ShortRecipe.Builder joined = new ShortRecipe.Builder(ChunkClass.SMALL);
        for (int first = 0; first < 1000; first += 300) {
            joined.add(recipe.shortened(first, Math.min(300, 1000 - first)));
        }

        ShortRecipe whole = joined.build();

        assertThat(whole).isEqualTo(recipe.shortened(0, 1000));
        assertThat(whole.size()).isEqualTo(recipe.size());
        assertThat(whole.offset(777)).isEqualTo(recipe.offset(777));
        assertThat(whole.shortId(999)).isEqualTo(recipe.shortId(999));
    }

    @Test
    void aRecipeOfNothingIsEmpty() {
        Recipe recipe = new Recipe.Builder(ChunkClass.SMALL).build();

        assertThat(recipe.count()).isZero();
        assertThat(recipe.size()).isZero();
        assertThat(recipe.root()).isEqualTo(new RootHash().finish());
    }

    @Test
    void lengthsThatTheClassDoesNotHaveAreRefused() {
        Recipe.Builder builder = new Recipe.Builder(ChunkClass.SMALL);

        assertThatThrownBy(() -> builder.add(0, new byte[32], 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(ChunkClass.SMALL.max() + 1, new byte[32], 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(builder.count()).isZero();
    }

    @Test
    void partsOfAnotherClassAreRefused() {
        ShortRecipe.Builder builder = new ShortRecipe.Builder(ChunkClass.LARGE);

        assertThatThrownBy(() -> builder.add(recipe(1, 1).shortened(0, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theRootIsTheHashOfTheFormThatIsWrittenDown() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write("postroad root 01".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 50; i++) {
            out.writeInt(length(i));
            out.write(hash(1, i).toArray());
        }
        out.writeLong(50);

        assertThat(recipe(50, 1).root()).isEqualTo(Bytes32.of(Sha256.of(bytes.toByteArray())));
    }

    @Test
    void theRootOfAnEmptyFileIsKnown() {
        assertThat(new RootHash().finish().hex())
                .isEqualTo("57858ffc762a681eac588f4ae87b845c06178ad15ac6d36b465ed46709f87fc9");
    }

    @Test
    void aRootDependsOnEveryHashLengthAndOnTheOrder() {
        RootHash root = new RootHash();
        root.add(1, hash(1, 0));
        root.add(2, hash(1, 1));
        Bytes32 both = root.finish();

        root.add(2, hash(1, 1));
        root.add(1, hash(1, 0));
        assertThat(root.finish()).isNotEqualTo(both);
        root.add(2, hash(1, 0));
        root.add(1, hash(1, 1));
        assertThat(root.finish()).isNotEqualTo(both);
        root.add(1, hash(1, 0));
        assertThat(root.finish()).isNotEqualTo(both);
        root.add(1, hash(1, 0));
        root.add(2, hash(1, 1));
        assertThat(root.finish()).isEqualTo(both);
    }

    private static Recipe recipe(int count, int seed) {
        Recipe.Builder builder = new Recipe.Builder(ChunkClass.SMALL);
        for (int i = 0; i < count; i++) {
            byte[] padded = new byte[40];
            hash(seed, i).copyTo(padded, 5);
            builder.add(length(i), padded, 5);
        }
        return builder.build();
    }

    private static int length(int index) {
        return 1 + index * 7 % ChunkClass.SMALL.max();
    }

    private static Bytes32 hash(int seed, int index) {
        byte[] bytes = new byte[32];
        new Random(seed * 10_000L + index).nextBytes(bytes);
        return Bytes32.of(bytes);
    }
}
