package postroad.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import postroad.app.config.Home;

/// Makes the home folder, for the owner alone.
final class HomeFolder {
    private HomeFolder() {}

    /// Makes the folder where it is missing.
    ///
    /// @throws Failure when it cannot be made or written
    static void prepare(Home home) {
        Path folder = home.folder();
        try {
            if (!Files.isDirectory(folder)) {
                if (folder.getParent() != null) {
                    Files.createDirectories(folder.getParent());
                }
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw new Failure("cannot make the home folder " + folder + ": " + reason(e)
                    + "; name another by --home or POSTROAD_HOME");
        }
        if (!Files.isWritable(folder)) {
            throw new Failure("cannot write to the home folder " + folder + ": permission denied;"
                    + " name another by --home or POSTROAD_HOME");
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException f -> "permission denied for " + f.getFile();
            case FileAlreadyExistsException f -> f.getFile() + " is a file";
            case FileSystemException f when f.getReason() != null -> f.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
