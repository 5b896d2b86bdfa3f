package postroad.sync.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A name below a tree's root, as the bytes that the system gives: components separated by `/`.
///
/// Never empty, never absolute, no empty component, none that is `.` or `..`, no NUL, no component
/// longer than 255 bytes. Ordered component by component, each as unsigned bytes, so that a folder
/// comes right before what is in it.
public final class TreePath implements Comparable<TreePath> {
    /// The most bytes a path may have; deeper trees are refused.
    public static final int MAX_LENGTH = 32_768;
    /// The most bytes of one component (the limit of Linux's file systems).
    public static final int MAX_NAME = 255;

    private final byte[] bytes;

    private TreePath(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Takes a copy of `bytes`.
    ///
    /// @throws IllegalArgumentException naming the rule that is broken
    public static TreePath of(byte[] bytes) {
        String fault = fault(bytes);
        if (!fault.isEmpty()) {
            throw new IllegalArgumentException(fault);
        }
        return new TreePath(bytes.clone());
    }

    /// The path whose bytes are `text` in UTF-8.
    ///
    /// @throws IllegalArgumentException naming the rule that is broken
    public static TreePath of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// What is wrong with `bytes` as a path; empty when nothing is.
    public static String fault(byte[] bytes) {
        if (bytes.length == 0) {
            return "a path is empty";
        }
        if (bytes.length > MAX_LENGTH) {
            return "a path has " + bytes.length + " bytes, more than " + MAX_LENGTH;
        }
        int from = 0;
        for (int at = 0; at <= bytes.length; at++) {
            if (at < bytes.length && bytes[at] == 0) {
                return "a path has a NUL";
            }
            if (at == bytes.length || bytes[at] == '/') {
                String fault = faultOfName(bytes, from, at);
                if (!fault.isEmpty()) {
                    return fault;
                }
                from = at + 1;
            }
        }
        return "";
    }

    private static String faultOfName(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return from == 0 ? "a path is absolute" : "a path has an empty component";
        }
        if (length > MAX_NAME) {
            return "a component of a path has " + length + " bytes, more than " + MAX_NAME;
        }
        boolean dots = bytes[from] == '.' && (length == 1 || length == 2 && bytes[from + 1] == '.');
        return dots ? "a path has a component . or .." : "";
    }

    /// The path of `name` inside this folder.
    ///
    /// @throws IllegalArgumentException if it is not the name of one component, or makes the path too long
    public TreePath child(byte[] name) {
        for (byte each : name) {
            if (each == '/') {
                throw new IllegalArgumentException("a name has a slash");
            }
        }
        byte[] joined = Arrays.copyOf(bytes, bytes.length + 1 + name.length);
        joined[bytes.length] = '/';
        System.arraycopy(name, 0, joined, bytes.length + 1, name.length);
        return of(joined);
    }

    /// How many bytes it has.
    public int length() {
        return bytes.length;
    }

    /// A fresh array of its bytes.
    public byte[] toBytes() {
        return bytes.clone();
    }

    /// Its bytes themselves, not to be changed.
    byte[] raw() {
        return bytes;
    }

    /// Copies its bytes from `from` on into `target` at `offset`.
    public void copyTo(int from, byte[] target, int offset) {
        System.arraycopy(bytes, from, target, offset, bytes.length - from);
    }

    /// The byte at `index`.
    public byte at(int index) {
        return bytes[index];
    }

    /// How many bytes this and `other` have in common at their beginning.
    public int sharedPrefix(TreePath other) {
        int differs = Arrays.mismatch(bytes, other.bytes);
        return differs < 0 ? bytes.length : differs;
    }

    /// The last component.
    public byte[] name() {
        return Arrays.copyOfRange(bytes, lastSlash() + 1, bytes.length);
    }

    /// Whether it lies in the root itself.
    public boolean isTop() {
        return lastSlash() < 0;
    }

    /// The folder that it is in.
    ///
    /// @throws IllegalStateException when that is the root, which has no path
    public TreePath parent() {
        int slash = lastSlash();
        if (slash < 0) {
            throw new IllegalStateException(this + " lies in the root");
        }
        return new TreePath(Arrays.copyOf(bytes, slash));
    }

    /// How many components it has.
    public int depth() {
        int depth = 1;
        for (byte each : bytes) {
            if (each == '/') {
                depth++;
            }
        }
        return depth;
    }

    /// Whether it lies below `folder`, at any depth.
    public boolean isBelow(TreePath folder) {
        return bytes.length > folder.bytes.length
                && bytes[folder.bytes.length] == '/'
                && sharedPrefix(folder) == folder.bytes.length;
    }

    private int lastSlash() {
        int at = bytes.length - 1;
        while (at >= 0 && bytes[at] != '/') {
            at--;
        }
        return at;
    }

    @Override
    public int compareTo(TreePath other) {
        int at = Arrays.mismatch(bytes, other.bytes);
        if (at < 0) {
            return 0;
        }
        return Integer.compare(rank(bytes, at), rank(other.bytes, at));
    }

    /// The end of a path comes before `/`, which comes before every other byte (NUL is none).
    private static int rank(byte[] bytes, int at) {
        if (at == bytes.length) {
            return -1;
        }
        return bytes[at] == '/' ? 0 : Byte.toUnsignedInt(bytes[at]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreePath path && Arrays.equals(bytes, path.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// For people: UTF-8 where it is that, every other and every control byte as `\xNN`, a backslash
    /// doubled.
    @Override
    public String toString() {
        return Shown.of(bytes);
    }
}
