package postroad.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import postroad.app.config.Home;

/// Makes the home folder, for the owner alone, and says of one that is there whether it can be a home.
final class HomeFolder {
    private static final String DATA_FILE = "data.mdb";

    /// What one does with a store that has no home yet, such as a backup.
    static final String HOW_TO_USE =
            "to use it, make it the folder store of a new home: mkdir HOME; cp -r %s HOME/store;"
                    + " and name that home";

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

    /// Refuses a folder that is itself a store, such as a backup: the store made inside it would be an empty one.
    ///
    /// @throws Failure when it is one
    static void requireHome(Home home) {
        Path folder = home.folder();
        if (!Files.exists(folder.resolve(DATA_FILE))) {
            return;
        }
        boolean isStoreOfHome = home.store().getFileName().equals(folder.getFileName()) && folder.getParent() != null;
        String remedy = isStoreOfHome
                ? "its home may be " + folder.getParent() + ": name that one"
                : HOW_TO_USE.formatted(folder);
        String second = Files.exists(home.store())
                ? " (the folder store in it is another one, perhaps made by mistake and empty)"
                : "";
        throw new Failure(folder + " holds a " + DATA_FILE + ": it is itself a store (a backup?), not a home" + second
                + "; " + remedy);
    }

    /// Whether this user may look into the folder, if it is there.
    static boolean isSearchable(Home home) {
        try {
            Files.readAttributes(home.store(), BasicFileAttributes.class);
            return true;
        } catch (AccessDeniedException e) {
            return false;
        } catch (IOException e) {
            // Whatever it is, it will be told by whoever needs what is in there.
            return true;
        }
    }

    /// What one says to a home that may not be looked into.
    static String unsearchable(Home home) {
        return "cannot read the home folder " + home.folder() + ": permission denied for this user";
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
