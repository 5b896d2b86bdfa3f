package postroad.sync.peer;

import postroad.sync.core.FailureCode;
import postroad.sync.folder.Reason;

/// What a fault of the disk is called on the wire.
final class Failures {
    private Failures() {}

    /// For a file that is read.
    static FailureCode whenReading(Reason reason) {
        return switch (reason) {
            case VANISHED -> FailureCode.VANISHED;
            case CHANGED, KIND -> FailureCode.CHANGED;
            case DENIED -> FailureCode.UNREADABLE;
            case NAME -> FailureCode.NAME;
            case NO_SPACE, EXISTS, NOT_EMPTY, READ_ONLY, BUSY, UNSUPPORTED, OTHER -> FailureCode.OTHER;
        };
    }

    /// For a file that is written.
    static FailureCode whenWriting(Reason reason) {
        return switch (reason) {
            case DENIED, READ_ONLY -> FailureCode.DENIED;
            case NO_SPACE -> FailureCode.NO_SPACE;
            case NAME -> FailureCode.NAME;
            case KIND, EXISTS, NOT_EMPTY -> FailureCode.KIND;
            case VANISHED, CHANGED -> FailureCode.CHANGED;
            case BUSY, UNSUPPORTED, OTHER -> FailureCode.OTHER;
        };
    }
}
