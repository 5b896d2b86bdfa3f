package postroad.sync.core;

import postroad.common.Bytes32;

/// What a file's end says of its [RootHash].
public sealed interface RootClaim {
    /// Whether `root` is as is said.
    boolean fits(Bytes32 root);

    /// All of it.
    record Whole(Bytes32 root) implements RootClaim {
        @Override
        public boolean fits(Bytes32 other) {
            return root.equals(other);
        }
    }

    /// Its leading eight bytes, big-endian: for a file that is in one segment as a whole.
    record Head(long bits) implements RootClaim {
        /// That of `root`.
        public static Head of(Bytes32 root) {
            return new Head(bitsOf(root));
        }

        @Override
        public boolean fits(Bytes32 other) {
            return bits == bitsOf(other);
        }

        private static long bitsOf(Bytes32 root) {
            return ShortId.of(root).high();
        }
    }
}
