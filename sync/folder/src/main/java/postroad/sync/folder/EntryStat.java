package postroad.sync.folder;

import java.util.Optional;
import postroad.sync.core.Entry;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

/// What the system knows of a name: enough to tell whether a file is still the one that was hashed.
///
/// @param device the file system it lies on
/// @param inode its number there
/// @param size bytes of content, or of a link's target
/// @param seconds its modification time since 1970
/// @param nanos the part of a second
/// @param changedSeconds when the system last changed anything of it, which no program can set
/// @param changedNanos the part of a second
/// @param mode permission bits, at most 07777
/// @param type what it is
/// @param links how many names it has
/// @param owner the number of the user who owns it
public record EntryStat(
        long device,
        long inode,
        long size,
        long seconds,
        int nanos,
        long changedSeconds,
        int changedNanos,
        int mode,
        Type type,
        int links,
        int owner) {

    /// What a name can be.
    public enum Type {
        /// A regular file.
        FILE,
        /// A folder.
        FOLDER,
        /// A symbolic link.
        LINK,
        /// A pipe.
        PIPE,
        /// A socket.
        SOCKET,
        /// A device, or something newer.
        DEVICE;

        static Type ofMode(int mode) {
            return switch (mode & 0170000) {
                case 0100000 -> FILE;
                case 0040000 -> FOLDER;
                case 0120000 -> LINK;
                case 0010000 -> PIPE;
                case 0140000 -> SOCKET;
                default -> DEVICE;
            };
        }
    }

    /// Its kind, if it is one that is sent.
    public Optional<Kind> kind() {
        return switch (type) {
            case FILE -> Optional.of(Kind.FILE);
            case FOLDER -> Optional.of(Kind.FOLDER);
            case LINK -> Optional.of(Kind.LINK);
            case PIPE, SOCKET, DEVICE -> Optional.empty();
        };
    }

    /// Whether both are the same file with the same content, as far as the system's own times can tell.
    public boolean isSameVersion(EntryStat other) {
        return device == other.device
                && inode == other.inode
                && size == other.size
                && seconds == other.seconds
                && nanos == other.nanos
                && changedSeconds == other.changedSeconds
                && changedNanos == other.changedNanos;
    }

    /// The entry that it makes under `path`.
    ///
    /// @throws IllegalStateException for what is not sent
    Entry toEntry(TreePath path, LinkTarget target) {
        Kind kind = kind().orElseThrow(() -> new IllegalStateException(path + " is a " + type));
        return new Entry(path, kind, kind == Kind.FILE ? size : 0, seconds, nanos, mode, target);
    }
}
