package postroad.lab.sync;

import java.io.IOException;
import java.nio.file.Path;

/// What a made tree is like.
public enum TreeShape {
    /// As [TrialTree#mixed].
    MIXED(100),
    /// As [TrialTree#small].
    SMALL(10_000),
    /// As [TrialTree#tiny].
    TINY(100);

    private final int files;

    TreeShape(int files) {
        this.files = files;
    }

    /// What the flags of a command line ask for.
    ///
    /// @throws IllegalArgumentException if it is two at once
    public static TreeShape of(boolean small, boolean tiny) {
        if (small && tiny) {
            throw new IllegalArgumentException("--small and --tiny are different trees");
        }
        return small ? SMALL : tiny ? TINY : MIXED;
    }

    /// How many files when no number is named.
    public int usualFiles() {
        return files;
    }

    /// Makes a tree at `root`.
    public void make(Path root, long seed, int number) throws IOException {
        switch (this) {
            case MIXED -> TrialTree.mixed(root, seed, number);
            case SMALL -> TrialTree.small(root, seed, number);
            case TINY -> TrialTree.tiny(root, seed, number);
        }
    }
}
