package postroad.sync.core;

import java.util.Arrays;

/// What a symbolic link names: bytes that are stored, never followed.
public final class LinkTarget {
    /// No target: the value of files and folders.
    public static final LinkTarget NONE = new LinkTarget(new byte[0]);
    /// The most bytes of a target (the limit of Linux).
    public static final int MAX_LENGTH = 4095;

    private final byte[] bytes;

    private LinkTarget(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Takes a copy of `bytes`.
    ///
    /// @throws IllegalArgumentException if they are too many or have a NUL
    public static LinkTarget of(byte[] bytes) {
        if (bytes.length > MAX_LENGTH) {
            throw new IllegalArgumentException("a link's target has " + bytes.length + " bytes");
        }
        for (byte each : bytes) {
            if (each == 0) {
                throw new IllegalArgumentException("a link's target has a NUL");
            }
        }
        return bytes.length == 0 ? NONE : new LinkTarget(bytes.clone());
    }

    /// Whether there is none.
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /// How many bytes it has.
    public int length() {
        return bytes.length;
    }

    /// A fresh array of its bytes.
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LinkTarget target && Arrays.equals(bytes, target.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return Shown.of(bytes);
    }
}
