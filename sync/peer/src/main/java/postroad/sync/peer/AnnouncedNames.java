package postroad.sync.peer;

import postroad.sync.core.TreePath;
import postroad.sync.folder.Item;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;

/// The receiver's names where its others are nobody's business, as for a single file: each is looked at when an entry
/// of its path is announced, and nothing else is.
final class AnnouncedNames implements Comparer.Names {
    private static final Item END = new Item.End(true);

    private final Tree tree;
    private Item next = END;

    AnnouncedNames(Tree tree) {
        this.tree = tree;
    }

    @Override
    public boolean announced(TreePath path) {
        Item item = Walker.look(tree, path);
        boolean isAbsent = item instanceof Item.Fault fault && fault.reason() == Reason.VANISHED;
        next = isAbsent ? END : item;
        return true;
    }

    @Override
    public Item next() {
        Item item = next;
        next = END;
        return item;
    }
}
