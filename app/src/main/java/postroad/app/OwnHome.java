package postroad.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.app.config.Home;
import postroad.sync.core.PatternLine;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;

/// Keeps the home that a command uses out of what it syncs: its secret key is not to travel, nor to be replaced or
/// deleted, and what is in it changes meanwhile.
final class OwnHome {
    private static final String REMEDY = "; name another one by --home or POSTROAD_HOME";

    private final byte[] folder;
    private final byte[] store;

    OwnHome(Home home) {
        folder = ByteWords.bytes(home.folder().toString());
        store = ByteWords.bytes(home.store().toString());
    }

    /// The settings for sessions of the folder `tree`, which leave the home alone where it lies in it.
    ///
    /// @param say is told of it
    /// @throws Failure if the folder is the home itself
    SyncSettings leftOut(SyncSettings settings, Tree tree, Consumer<String> say) {
        try {
            refuse(tree);
            List<TreePath> places = placesIn(tree);
            if (places.isEmpty()) {
                return settings;
            }
            places.forEach(place -> say.accept("leaving out " + place + ": the home folder that this command uses"));
            var patterns = settings.session()
                    .patterns()
                    .with(places.stream().map(PatternLine::naming).toList());
            return settings.withSession(settings.session().withPatterns(patterns));
        } catch (TreeException e) {
            throw new Failure("cannot tell whether the home folder lies in " + tree + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    "cannot leave out the home folder, which lies in " + tree + ": " + e.getMessage() + REMEDY, e);
        }
    }

    /// Refuses a folder that is the home: a file that came would replace what is in it.
    ///
    /// @throws Failure if it is
    void refuse(Tree tree) throws TreeException {
        for (byte[] each : List.of(folder, store)) {
            Optional<Tree> opened = open(each);
            if (opened.isPresent()) {
                try (Tree own = opened.get()) {
                    if (own.isSameAs(tree)) {
                        throw new Failure(Shown.of(each) + " is the home folder that this command uses, with the secret"
                                + " key of this side, and is not synced" + REMEDY);
                    }
                }
            }
        }
    }

    /// Where it is, and where the link is that it may be reached by.
    private List<TreePath> placesIn(Tree tree) throws TreeException {
        List<TreePath> places = new ArrayList<>();
        try (Tree home = Tree.open(folder)) {
            tree.find(home).ifPresent(places::add);
        }
        try (Tree around = Tree.open(SendSource.parentOf(folder))) {
            byte[] name = SendSource.nameOf(folder);
            Optional<TreePath> named = tree.isSameAs(around)
                    ? Optional.of(TreePath.of(name))
                    : tree.find(around).map(up -> up.child(name));
            named.filter(each -> !places.contains(each)).ifPresent(places::add);
        }
        return places;
    }

    private static Optional<Tree> open(byte[] path) throws TreeException {
        try {
            return Optional.of(Tree.open(path));
        } catch (TreeException e) {
            if (e.reason() == Reason.VANISHED) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
