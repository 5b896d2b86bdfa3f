package postroad.sync.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/// Collects what goes into one frame of names and says when that is enough. Owned by one thread.
public final class Page<T> {
    /// The most bytes that all names (and link targets) of one frame have before they are shortened by
    /// what they share. Without it a small frame could unfold into gigabytes.
    public static final int MAX_NAMES = 512 << 10;
    /// What an item costs besides its name.
    private static final int ITEM = 40;

    private final ToIntFunction<T> names;
    private final int goal;
    private List<T> items = new ArrayList<>();
    private int bytes;

    private Page(ToIntFunction<T> names, int goal) {
        if (goal < 1 || goal > MAX_NAMES) {
            throw new IllegalArgumentException("a page of " + goal + " bytes");
        }
        this.names = names;
        this.goal = goal;
    }

    /// Pages of about `goal` bytes.
    public static Page<Entry> ofEntries(int goal) {
        return new Page<>(Page::names, goal);
    }

    /// Pages of about `goal` bytes.
    public static Page<Deletion> ofDeletions(int goal) {
        return new Page<>(Page::names, goal);
    }

    static int names(Entry entry) {
        return entry.path().length() + entry.target().length();
    }

    static int names(Deletion deletion) {
        return deletion.path().length();
    }

    /// Takes `item`, unless the page is full without it; an empty page takes any.
    public boolean offer(T item) {
        int cost = names.applyAsInt(item) + ITEM;
        if (!items.isEmpty() && cost > goal - bytes) {
            return false;
        }
        items.add(item);
        bytes += cost;
        return true;
    }

    /// Whether nothing was taken since the last [#take].
    public boolean isEmpty() {
        return items.isEmpty();
    }

    /// What was taken; the page is empty afterwards.
    public List<T> take() {
        List<T> taken = items;
        items = new ArrayList<>();
        bytes = 0;
        return taken;
    }
}
