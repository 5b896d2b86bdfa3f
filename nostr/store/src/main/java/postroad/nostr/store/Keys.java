package postroad.nostr.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.TagValue;

/// Builds the keys of every table. Keys compare as bytes.
///
/// The keys of an ordered index are a prefix and then [#ORDER] bytes, so that a walk meets the newest event first and
/// among equal times the lowest id:
///
/// | length | content |
/// |---|---|
/// | 8 | all bits of `created_at` inverted |
/// | 32 | id |
///
/// Their value is a reference: sequence number × 65,536 + kind.
final class Keys {
    /// Length of the end of an ordered key: inverted time and id.
    static final int ORDER = 40;

    /// Length of an address: author, kind, SHA-256 of `d`.
    static final int ADDRESS = 32 + 2 + 32;

    /// Length of an address's value: time, id and reference of the version that is stored.
    static final int ADDRESS_VALUE = 48;

    /// First byte of a tombstone's key: what is gone.
    static final byte GONE_ID = 1;

    static final byte GONE_ADDRESS = 2;
    static final byte GONE_AUTHOR = 3;
    static final byte GONE_VERSIONS = 4;

    /// Longest key that this store makes.
    static final int MAX = 34 + ORDER;

    static final byte[] FORMAT = "format".getBytes(UTF_8);
    static final byte[] SEQUENCE = "sequence".getBytes(UTF_8);
    static final byte[] OWN_URLS = "own-urls".getBytes(UTF_8);

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private Keys() {}

    static long reference(long sequence, int kind) {
        return sequence << 16 | kind;
    }

    static long sequence(long reference) {
        return reference >>> 16;
    }

    static int kind(long reference) {
        return (int) reference & 0xffff;
    }

    /// What stands for a set of addresses of the relay.
    static byte[] ownUrls(Set<RelayUrl> urls) {
        String lines = urls.stream().map(RelayUrl::text).sorted().collect(Collectors.joining("\n"));
        return Sha256.of(lines.getBytes(UTF_8));
    }

    static byte[] number(long value) {
        byte[] key = new byte[8];
        putLong(key, 0, value);
        return key;
    }

    static byte[] id(Bytes32 id) {
        return id.toArray();
    }

    static byte[] expiry(long expiration, long sequence) {
        byte[] key = new byte[16];
        putLong(key, 0, expiration);
        putLong(key, 8, sequence);
        return key;
    }

    static byte[] author(Bytes32 author) {
        return author.toArray();
    }

    static byte[] kindPrefix(int kind) {
        return new byte[] {(byte) (kind >>> 8), (byte) kind};
    }

    static byte[] authorKind(Bytes32 author, int kind) {
        byte[] prefix = new byte[34];
        author.copyTo(prefix, 0);
        putKind(prefix, 32, kind);
        return prefix;
    }

    static byte[] tag(char letter, TagValue value) {
        byte[] prefix = new byte[1 + TagValue.HASH_LENGTH];
        prefix[0] = (byte) letter;
        System.arraycopy(value.hash(), 0, prefix, 1, TagValue.HASH_LENGTH);
        return prefix;
    }

    static byte[] address(Bytes32 author, int kind, String d) {
        byte[] key = new byte[ADDRESS];
        author.copyTo(key, 0);
        putKind(key, 32, kind);
        System.arraycopy(Sha256.of(d.getBytes(UTF_8)), 0, key, 34, 32);
        return key;
    }

    /// The address of a packed event that has one; a replaceable kind's `d` tag does not count.
    static byte[] address(MemorySegment base, long at) {
        int kind = PackedEvent.kind(base, at);
        String d = KindClass.of(kind) == KindClass.ADDRESSABLE ? d(base, at) : "";
        return address(PackedEvent.author(base, at), kind, d);
    }

    static byte[] addressValue(long createdAt, Bytes32 id, long reference) {
        byte[] value = new byte[ADDRESS_VALUE];
        putLong(value, 0, createdAt);
        id.copyTo(value, 8);
        putLong(value, 40, reference);
        return value;
    }

    static byte[] goneId(Bytes32 id, Bytes32 author) {
        byte[] key = new byte[65];
        key[0] = GONE_ID;
        id.copyTo(key, 1);
        author.copyTo(key, 33);
        return key;
    }

    /// Time and id of a version.
    static byte[] version(long createdAt, Bytes32 id) {
        return Arrays.copyOf(addressValue(createdAt, id, 0), ORDER);
    }

    static byte[] goneAddress(byte[] address) {
        return goneAddress(GONE_ADDRESS, address);
    }

    static byte[] goneVersions(byte[] address) {
        return goneAddress(GONE_VERSIONS, address);
    }

    private static byte[] goneAddress(byte what, byte[] address) {
        byte[] key = new byte[1 + ADDRESS];
        key[0] = what;
        System.arraycopy(address, 0, key, 1, ADDRESS);
        return key;
    }

    static byte[] goneAuthor(Bytes32 author) {
        byte[] key = new byte[33];
        key[0] = GONE_AUTHOR;
        author.copyTo(key, 1);
        return key;
    }

    /// A key of an ordered index.
    static byte[] ordered(byte[] prefix, long createdAt, Bytes32 id) {
        byte[] key = new byte[prefix.length + ORDER];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        putLong(key, prefix.length, ~createdAt);
        id.copyTo(key, prefix.length + 8);
        return key;
    }

    /// A key and its reference in one array, so that they can be sorted together.
    static byte[] entry(byte[] key, long reference) {
        byte[] entry = Arrays.copyOf(key, key.length + 8);
        putLong(entry, key.length, reference);
        return entry;
    }

    /// Takes the keys under which one event is found.
    @FunctionalInterface
    interface Sink {
        void key(Table table, byte[] key);
    }

    /// Names every key of a packed event in the ordered indexes and by expiration, some maybe twice.
    static void ofEvent(MemorySegment base, long at, long sequence, Sink sink) {
        Bytes32 id = PackedEvent.id(base, at);
        Bytes32 author = PackedEvent.author(base, at);
        long createdAt = PackedEvent.createdAt(base, at);
        int kind = PackedEvent.kind(base, at);
        sink.key(Table.TIME, ordered(new byte[0], createdAt, id));
        sink.key(Table.AUTHOR, ordered(author(author), createdAt, id));
        sink.key(Table.KIND, ordered(kindPrefix(kind), createdAt, id));
        sink.key(Table.AUTHOR_KIND, ordered(authorKind(author, kind), createdAt, id));
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            char letter = PackedEvent.tagLetter(base, tag);
            sink.key(Table.TAG, ordered(tag(letter, TagValue.at(base, tag)), createdAt, id));
        }
        long expiration = PackedEvent.expiration(base, at);
        if (expiration != 0) {
            sink.key(Table.EXPIRY, expiry(expiration, sequence));
        }
    }

    /// The keys that a gift wrap names in its `p` tags; none for other kinds.
    static List<Bytes32> recipients(MemorySegment base, long at) {
        List<Bytes32> keys = new ArrayList<>();
        if (PackedEvent.kind(base, at) == Kinds.GIFT_WRAP) {
            long end = PackedEvent.tagsEnd(base, at);
            for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
                if (PackedEvent.tagLetter(base, tag) == 'p' && PackedEvent.tagIsRaw(base, tag)) {
                    keys.add(PackedEvent.bytes32(base, PackedEvent.tagValue(tag)));
                }
            }
        }
        return keys;
    }

    static long getLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /// A copy of `length` bytes at an address.
    static byte[] copy(long address, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(Lmdb.MEMORY, ValueLayout.JAVA_BYTE, address, bytes, 0, length);
        return bytes;
    }

    private static String d(MemorySegment base, long at) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            if (PackedEvent.tagLetter(base, tag) == 'd') {
                return PackedEvent.tagText(base, tag);
            }
        }
        return "";
    }

    private static void putKind(byte[] target, int at, int kind) {
        target[at] = (byte) (kind >>> 8);
        target[at + 1] = (byte) kind;
    }

    private static void putLong(byte[] target, int at, long value) {
        LONG.set(target, at, value);
    }

    /// Kinds that the store treats in a way of their own.
    static final class Kinds {
        static final int DELETION = 5;
        static final int VANISH = 62;
        static final int GIFT_WRAP = 1059;

        private Kinds() {}
    }
}
