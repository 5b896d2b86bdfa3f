package postroad.sync.peer;

import postroad.sync.folder.Item;

/// Where the names of a tree come from, in their order. Asked by one thread.
@FunctionalInterface
public interface Names {
    /// The next one; like a walker, [Item.End] after the last.
    Item next() throws InterruptedException;
}
