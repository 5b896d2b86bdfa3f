package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import postroad.common.Bytes32;

/// Who asks: the keys a connection has proven (NIP-42), and the kinds that only their parties may see.
///
/// A party is the author, or a key in a `p` tag. There is no way to query without a viewer.
public final class Viewer {
    /// Sees everything: import, export, backup and other work of the operator's own.
    public static final Viewer OPERATOR = new Viewer(Set.of(), Filter.Kinds.of());

    private final Set<Bytes32> keys;
    private final Filter.Kinds privateKinds;

    private Viewer(Set<Bytes32> keys, Filter.Kinds privateKinds) {
        this.keys = keys;
        this.privateKinds = privateKinds;
    }

    /// A connection that has proven `keys`, none for a stranger.
    public static Viewer of(Set<Bytes32> keys, Filter.Kinds privateKinds) {
        return new Viewer(Set.copyOf(keys), privateKinds);
    }

    /// Whether this viewer may know of the packed event.
    public boolean maySee(MemorySegment base, long at) {
        if (privateKinds.isEmpty() || !privateKinds.contains(PackedEvent.kind(base, at))) {
            return true;
        }
        if (keys.isEmpty()) {
            return false;
        }
        return keys.contains(PackedEvent.author(base, at)) || isAddressed(base, at);
    }

    /// Whether events of `kind` are shown to their parties only.
    public boolean isPrivate(int kind) {
        return privateKinds.contains(kind);
    }

    /// The keys proven.
    public Set<Bytes32> keys() {
        return keys;
    }

    private boolean isAddressed(MemorySegment base, long at) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            if (PackedEvent.tagLetter(base, tag) == 'p'
                    && PackedEvent.tagIsRaw(base, tag)
                    && keys.contains(PackedEvent.bytes32(base, PackedEvent.tagValue(tag)))) {
                return true;
            }
        }
        return false;
    }
}
