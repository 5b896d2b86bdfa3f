package postroad.sync.folder;

/// Linux's error numbers as far as they are told apart here, with their meaning in plain words.
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int ENOTTY = 25;
    static final int ETXTBSY = 26;
    static final int EFBIG = 27;
    static final int ENOSPC = 28;
    static final int EROFS = 30;
    static final int EMLINK = 31;
    static final int ENAMETOOLONG = 36;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int ELOOP = 40;
    static final int EOVERFLOW = 75;
    static final int EILSEQ = 84;
    static final int EOPNOTSUPP = 95;
    static final int ESTALE = 116;
    static final int EDQUOT = 122;

    private Errno() {}

    static Reason reason(int errno) {
        return switch (errno) {
            case ENOENT, ESTALE -> Reason.VANISHED;
            case EPERM, EACCES -> Reason.DENIED;
            case ENOSPC, EDQUOT -> Reason.NO_SPACE;
            case EEXIST -> Reason.EXISTS;
            case ENOTEMPTY -> Reason.NOT_EMPTY;
            case ENOTDIR, EISDIR, ELOOP -> Reason.KIND;
            case ENAMETOOLONG, EILSEQ -> Reason.NAME;
            case EROFS -> Reason.READ_ONLY;
            case EBUSY, EAGAIN, ETXTBSY -> Reason.BUSY;
            default -> Reason.OTHER;
        };
    }

    static String words(int errno) {
        return switch (errno) {
            case EPERM -> "the system does not permit it";
            case ENOENT -> "it is not there";
            case EIO -> "the disk failed to read or write it";
            case EAGAIN -> "it is in use";
            case ENOMEM -> "the system has no memory for it";
            case EACCES -> "permission denied";
            case EBUSY -> "the system uses it, as a mount point for example";
            case EEXIST -> "the name exists";
            case EXDEV -> "it lies on another file system";
            case ENOTDIR -> "something on its way is not a folder";
            case EISDIR -> "a folder has its name";
            case EINVAL -> "the file system refuses it";
            case ENFILE, EMFILE -> "too many files are open";
            case ETXTBSY -> "it is a program that runs";
            case EFBIG -> "it is larger than the file system or a limit allows";
            case ENOSPC -> "the disk is full";
            case EROFS -> "the file system is read-only";
            case EMLINK -> "the folder holds too many folders";
            case ENAMETOOLONG -> "the name is too long";
            case ENOSYS -> "the system does not know how";
            case ENOTEMPTY -> "the folder is not empty";
            case ELOOP -> "a link is in its way";
            case EOVERFLOW -> "a number is too large for the system";
            case EILSEQ -> "the file system cannot hold such a name";
            case EOPNOTSUPP -> "the file system cannot do it";
            case ESTALE -> "it is gone from its server";
            case EDQUOT -> "the user's share of the disk is full";
            default -> "the system says error " + errno;
        };
    }
}
