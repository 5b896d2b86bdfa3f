package postroad.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import postroad.common.NativeLibrary.NativeLibraryMissing;
import postroad.nostr.store.StoreException;

/// Puts failures of files, connections and stores into words.
final class Failures {
    private Failures() {}

    /// Whether the exception tells of the world, not of a fault in this program.
    static boolean isForPeople(Throwable e) {
        return e instanceof IOException
                || e instanceof UncheckedIOException
                || e instanceof StoreException
                || e instanceof InvalidPathException
                || missingPart(e).isPresent();
    }

    /// The exception in words.
    static String text(Throwable e) {
        Optional<String> missing = missingPart(e);
        if (missing.isPresent()) {
            return missing.get();
        }
        return switch (e) {
            case NoSuchFileException f -> f.getFile() + ": there is no such file or folder";
            case AccessDeniedException f -> f.getFile() + ": permission denied";
            case FileAlreadyExistsException f -> f.getFile() + ": it exists already";
            case NotDirectoryException f -> f.getFile() + ": it is not a folder";
            case FileSystemException f when f.getReason() != null -> f.getFile() + ": " + f.getReason();
            case InvalidPathException f -> "no file can have the name " + f.getInput() + " here: " + f.getReason();
            case UncheckedIOException f -> text(f.getCause());
            // The store writes what it could not put into words as Java does.
            case StoreException f
            when f.getCause() instanceof IOException cause
                    && String.valueOf(f.getMessage()).contains(cause.toString()) ->
                f.getMessage().replace(cause.toString(), creating(cause));
            default -> String.valueOf(e.getMessage());
        };
    }

    /// Why a file could not be made or written, without its name.
    static String reason(FileSystemException e) {
        return switch (e) {
            case NoSuchFileException f -> "nothing can be made there";
            case AccessDeniedException f -> "permission denied";
            case FileAlreadyExistsException f -> "it is there already";
            default -> e.getReason() == null ? String.valueOf(e.getMessage()) : e.getReason();
        };
    }

    private static String creating(IOException e) {
        return e instanceof FileSystemException f
                ? f.getFile() + ": " + reason(f) + "; name a folder that this user may write to"
                : text(e);
    }

    /// What is said of a native part that this machine lacks. Classes bind such parts when they are loaded, so the
    /// exception comes wrapped into errors of class loading.
    private static Optional<String> missingPart(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NativeLibraryMissing missing) {
                return Optional.of(missing.getMessage());
            }
        }
        return Optional.empty();
    }

    /// Whether standard output's reader has gone.
    static boolean isBrokenPipe(IOException e) {
        return String.valueOf(e.getMessage()).contains("Broken pipe");
    }
}
