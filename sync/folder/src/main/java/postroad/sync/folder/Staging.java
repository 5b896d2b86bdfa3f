package postroad.sync.folder;
import java.nio.charset.StandardCharsets;
import java.util.*;
import postroad.sync.core.*;
public final class Staging {
    public static final String FOLDER = ".postroad";
    private static final byte[] NAME = FOLDER.getBytes(StandardCharsets.US_ASCII);
    private final Tree tree; private final SessionId session; private int aside;
    private Staging(Tree tree, SessionId session) { this.tree = tree; this.session = session; }
    public static boolean isReserved(byte[] name) { return Arrays.equals(name, NAME); }
    public record Commit(StagedFile file, TreePath to, long seconds, int nanos, int mode, boolean replacesFolder) {}
    public sealed interface Result { record Committed(EntryStat version) implements Result {} record Refused(Reason reason, String why) implements Result {} }
    public static Staging open(Tree tree, SessionId session) throws TreeException {
        try { tree.makeFolder(TreePath.of(FOLDER), 0700); } catch (TreeException e) { if (e.reason() != Reason.EXISTS) throw e; }
        return new Staging(tree, session);
    }
    public List<FileHandle> leftovers() { return List.of(); }
    public long timeToleranceNanos() { return 0; }
    private TreePath name(String s) { return TreePath.of(FOLDER + "/" + session + "-" + s); }
    public StagedFile create(long id, long size) throws TreeException {
        TreePath p = name(id + "-" + System.nanoTime());
        Folder f = tree.folders().parentOf(p);
        try { int h = Posix.open(f.handle, p.name(), Posix.READ_WRITE | Posix.CREATE | Posix.EXCLUSIVE | Posix.NOFOLLOW, 0600);
        Tree.checked(h, p.toString());
        return new StagedFile(new FileHandle(h, p.toString()), p, tree); } finally { f.close(); }
    }
    public List<Result> commit(List<Commit> group) {
        List<Result> r = new ArrayList<>();
        for (Commit c : group) try {
            c.file.handle.setTimes(c.seconds, c.nanos); c.file.handle.setMode(c.mode);
            try { tree.rename(c.file.path, c.to, Tree.Renaming.REPLACE); } catch (TreeException e) { if (!c.replacesFolder) throw e; moveAside(c.to); tree.rename(c.file.path, c.to, Tree.Renaming.REPLACE); }
            r.add(new Result.Committed(c.file.handle.stat())); c.file.handle.close();
        } catch (TreeException e) { c.file.discard(); r.add(new Result.Refused(e.reason(), e.why())); }
        return r;
    }
    public void commitLink(Entry e, boolean replacesFolder) throws TreeException {
        TreePath p = name("l" + aside++);
        tree.makeLink(p, e.target()); tree.setTimes(p, e.seconds(), e.nanos());
        try { tree.rename(p, e.path(), Tree.Renaming.REPLACE); } catch (TreeException x) { if (!replacesFolder) throw x; moveAside(e.path()); tree.rename(p, e.path(), Tree.Renaming.REPLACE); }
    }
    public synchronized void moveAside(TreePath path) throws TreeException { tree.rename(path, name("a" + aside++), Tree.Renaming.REPLACE); }
    public void delete(TreePath path, Kind kind) throws TreeException { if (kind == Kind.FOLDER) tree.removeFolder(path); else tree.removeFile(path); }
    public void syncAll() {}
    public void close(boolean finished) {}
}
