package postroad.sync.folder;

import java.nio.ByteBuffer;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;

/// Made-up versions of files and their recipes, for tests of the index.
final class Rows {
    /// Chunks of each recipe, all of [#LENGTH].
    static final int CHUNKS = 8;

    static final int LENGTH = 8192;

    private Rows() {}

    /// A version of the file `inode` whose times are `seconds`, as large as its [#recipe].
    static EntryStat version(long inode, long seconds, long changedSeconds) {
        return new EntryStat(
                7, inode, (long) CHUNKS * LENGTH, seconds, 5, changedSeconds, 6, 0, EntryStat.Type.FILE, 1, 0);
    }

    /// Chunks that only `seed` has.
    static Recipe recipe(long seed) {
        Recipe.Builder recipe = new Recipe.Builder(ChunkClass.SMALL);
        for (int i = 0; i < CHUNKS; i++) {
            byte[] content = ByteBuffer.allocate(12).putLong(seed).putInt(i).array();
            recipe.add(LENGTH, Sha256.of(content), 0);
        }
        return recipe.build();
    }
}
