package postroad.sync.folder;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The receiver's reserved folder at the root of its tree.
public final class Staging {
    /// Its name; never walked, sent or written by a peer.
    public static final String FOLDER = ".postroad";

    private static final byte[] NAME = FOLDER.getBytes(StandardCharsets.US_ASCII);

    private Staging() {}

    /// Whether a name at the root is the reserved one.
    static boolean isReserved(byte[] name) {
        return Arrays.equals(name, NAME);
    }
}
