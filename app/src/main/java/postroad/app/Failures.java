package postroad.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import postroad.nostr.store.StoreException;

/// Puts failures of files, connections and stores into words.
final class Failures {
    private Failures() {}

    /// Whether the exception tells of the world, not of a fault in this program.
    static boolean isForPeople(Exception e) {
        return e instanceof IOException || e instanceof UncheckedIOException || e instanceof StoreException;
    }

    /// The exception in words.
    static String text(Exception e) {
        return switch (e) {
            case NoSuchFileException f -> f.getFile() + ": there is no such file or folder";
            case AccessDeniedException f -> f.getFile() + ": permission denied";
            case FileAlreadyExistsException f -> f.getFile() + ": it exists already";
            case NotDirectoryException f -> f.getFile() + ": it is not a folder";
            case FileSystemException f when f.getReason() != null -> f.getFile() + ": " + f.getReason();
            case UncheckedIOException f -> text(f.getCause());
            default -> String.valueOf(e.getMessage());
        };
    }

    /// Whether standard output's reader has gone.
    static boolean isBrokenPipe(IOException e) {
        return String.valueOf(e.getMessage()).contains("Broken pipe");
    }
}
