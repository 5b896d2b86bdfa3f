package postroad.sync.folder;
import postroad.sync.core.TreePath;
public final class StagedFile {
    final FileHandle handle; final TreePath path; final Tree tree;
    StagedFile(FileHandle h, TreePath p, Tree t) { handle = h; path = p; tree = t; }
    public void write(long offset, byte[] from, int at, int length) throws TreeException { handle.write(offset, from, at, length); }
    public void discard() { handle.close(); try { tree.removeFile(path); } catch (TreeException e) { } }
}
