package postroad.sync.core;

/// One name of a tree with what is known of it without reading its content.
///
/// @param path where it is below the root
/// @param kind what it is
/// @param size bytes of content; 0 for folders and links
/// @param seconds its modification time, seconds since 1970, may be negative
/// @param nanos the part of a second, 0 to 999,999,999
/// @param mode its permission bits, at most 07777
/// @param target what a link names, any bytes; empty for files and folders
public record Entry(TreePath path, Kind kind, long size, long seconds, int nanos, int mode, LinkTarget target) {
    /// Checks the ranges.
    public Entry {
        if (size < 0 || kind != Kind.FILE && size != 0) {
            throw new IllegalArgumentException("a " + kind + " has the size " + size);
        }
        checkTimeAndMode(nanos, mode);
        if (kind == Kind.LINK == target.isEmpty()) {
            throw new IllegalArgumentException("a " + kind + " has a target of " + target.length() + " bytes");
        }
    }

    static void checkTimeAndMode(int nanos, int mode) {
        if (nanos < 0 || nanos > 999_999_999) {
            throw new IllegalArgumentException("nanoseconds are " + nanos);
        }
        if (mode < 0 || mode > 07777) {
            throw new IllegalArgumentException("the mode is " + Integer.toOctalString(mode));
        }
    }
}
