package postroad.nostr.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The files of a store's folder, by whose they are.
///
/// Root may open the store in another user's home. What it makes there is given to the owner of the folder, else that
/// user could not open his store any more.
final class OwnedFiles {
    private final Path folder;
    private final List<String> names;
    private final List<Path> missing = new ArrayList<>();

    /// The files with these names in `folder`.
    OwnedFiles(Path folder, List<String> names) {
        this.folder = folder;
        this.names = names;
    }

    /// Notes which are not there yet, so that only those made from now on are handed over.
    void remember() {
        missing.clear();
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            missing.add(folder);
        }
        names.stream()
                .map(folder::resolve)
                .filter(file -> !Files.exists(file, LinkOption.NOFOLLOW_LINKS))
                .forEach(missing::add);
    }

    /// Gives what was missing, and is there now, the owner and group of the folder it stands in: the folder first.
    void handOver() {
        for (Path path : missing) {
            try {
                handOver(path);
            } catch (IOException e) {
                // Not root, or a file system that does not do so: then it stays as any other program would leave it.
                return;
            }
        }
    }

    private static void handOver(Path path) throws IOException {
        PosixFileAttributeView view = view(path);
        if (view == null || path.getParent() == null || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        PosixFileAttributes around = Files.readAttributes(path.getParent(), PosixFileAttributes.class);
        if (!view.readAttributes().owner().equals(around.owner())) {
            view.setOwner(around.owner());
            view.setGroup(around.group());
        }
    }

    /// Never through a link: the other user may have put one in the file's place.
    private static PosixFileAttributeView view(Path path) {
        return Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /// The first that is there and this user may not read, or write, though the folder is his to use.
    Optional<Path> unusable(boolean readOnly) {
        if (!Files.isReadable(folder) || !readOnly && !Files.isWritable(folder)) {
            return Optional.empty();
        }
        return names.stream()
                .map(folder::resolve)
                .filter(Files::exists)
                .filter(file -> !(Files.isReadable(file) && (readOnly || Files.isWritable(file))))
                .findFirst();
    }

    /// Whose file it is, by name where the system knows one.
    static String owner(Path file) {
        try {
            return Files.getOwner(file).getName();
        } catch (IOException | UnsupportedOperationException e) {
            return "another user";
        }
    }
}
