package postroad.nostr.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import postroad.common.Bytes32;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Address;
import postroad.nostr.core.Event;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Tag;
import postroad.nostr.core.TagValue;

/// The rules of storing, applied event by event inside one write transaction (NIP-01, 09, 40, 59, 62).
///
/// Whatever the order of arrival, the store ends with the same events: a request to delete or to vanish
/// is remembered as a tombstone that outlives it, and counts even where the request itself may not be
/// kept; the newest version of an address counts even when it was deleted. Kinds 5 and 62 are never
/// deleted, kind 62 never vanishes. Each event sees what those before it in the batch did. Keys of the
/// ordered indexes are put at the end, sorted, which keeps the pages they go to at hand. Owned by the
/// writer.
final class Batch {
    private static final String ALL_RELAYS = "ALL_RELAYS";

    private final WriteTransaction transaction;
    private final Set<RelayUrl> ownUrls;
    private final long now;
    private final Optional<String> noRoom;
    private final boolean hasTombstones;

    /// Events of this batch whose index keys are not put yet, by sequence.
    private final Map<Long, Event> unindexed = new LinkedHashMap<>();

    private long sequence;
    private boolean changed;
    private boolean madeTombstones;

    /// @param sequence the last one given out
    /// @param noRoom why new events are refused, empty when there is room
    Batch(WriteTransaction transaction, Set<RelayUrl> ownUrls, long now, long sequence, Optional<String> noRoom) {
        this.transaction = transaction;
        this.ownUrls = ownUrls;
        this.now = now;
        this.sequence = sequence;
        this.noRoom = noRoom;
        this.hasTombstones = transaction.entries(Table.TOMBSTONE) > 0;
    }

    /// The last sequence number given out.
    long sequence() {
        return sequence;
    }

    /// Whether there is anything to commit.
    boolean isChanged() {
        return changed;
    }

    /// Decides on one event and carries it out.
    WriteOutcome apply(Event event) {
        if (transaction.find(Table.ID, Keys.id(event.idBytes()))) {
            return new WriteOutcome.Duplicate();
        }
        if (isExpired(event.expiration())) {
            return new WriteOutcome.Expired();
        }
        if (isVanished(event)) {
            // The author's deletions hold, though they are not kept: else the order of arrival would decide.
            erase(event);
            return new WriteOutcome.Vanished();
        }
        if (event.kindClass() == KindClass.EPHEMERAL) {
            return new WriteOutcome.Ephemeral(++sequence);
        }
        if (isDeletedById(event)) {
            barOlderVersions(event.packed());
            return new WriteOutcome.Deleted();
        }
        if (isDeletedByAddress(event)) {
            return new WriteOutcome.Deleted();
        }
        if (noRoom.isPresent() && !isErasure(event)) {
            return new WriteOutcome.Failed(Prefix.ERROR.with(noRoom.get()));
        }
        return supersede(event) ? store(event) : new WriteOutcome.Superseded();
    }

    /// Carries out a request to vanish that is stored already, if it is for us by now.
    void follow(Event request) {
        erase(request);
    }

    /// Removes up to `max` expired events; returns how many.
    int removeExpired(int max) {
        List<Long> gone = new ArrayList<>();
        boolean found = transaction.first(Table.EXPIRY);
        while (found && gone.size() < max) {
            long key = transaction.keyAddress();
            if (!isExpired(Lmdb.MEMORY.get(Lmdb.BE_LONG, key))) {
                break;
            }
            gone.add(Lmdb.MEMORY.get(Lmdb.BE_LONG, key + 8));
            found = transaction.next(transaction.cursor(Table.EXPIRY));
        }
        gone.forEach(this::remove);
        return gone.size();
    }

    /// Puts what is left to put; the transaction can be committed then.
    void finish() {
        putIndexKeys();
        transaction.put(Table.META, Keys.SEQUENCE, sequence);
    }

    private WriteOutcome store(Event event) {
        long number = ++sequence;
        changed = true;
        transaction.appendEvent(number, event.packed(), event.packedLength());
        transaction.put(Table.ID, Keys.id(event.idBytes()), Keys.reference(number, event.kind()));
        if (event.kindClass().supersedes()) {
            putAddress(event, Keys.reference(number, event.kind()));
        }
        unindexed.put(number, event);
        erase(event);
        return new WriteOutcome.Stored(number);
    }

    /// Carries out a request to delete or to vanish; nothing for other kinds.
    private void erase(Event event) {
        if (event.kind() == Keys.Kinds.DELETION) {
            deleteTargets(event);
        } else if (event.kind() == Keys.Kinds.VANISH && isForUs(event)) {
            vanish(event);
        }
    }

    // NIP-01: the newest version of an address wins, of equal times the lowest id.

    /// Removes the version that an event takes the place of; false when it is the newest itself.
    private boolean supersede(Event event) {
        if (!event.kindClass().supersedes()) {
            return true;
        }
        if (transaction.find(Table.ADDRESS, Keys.address(event.packed(), 0))) {
            long at = transaction.dataAddress();
            if (isAtOrBefore(event.packed(), 0, at)) {
                return false;
            }
            remove(Keys.sequence(Lmdb.MEMORY.get(Lmdb.BE_LONG, at + 40)));
        }
        return true;
    }

    /// Whether a version is the one whose time and id lie at an address, or older.
    static boolean isAtOrBefore(MemorySegment base, long at, long version) {
        long createdAt = PackedEvent.createdAt(base, at);
        long time = Lmdb.MEMORY.get(Lmdb.BE_LONG, version);
        if (createdAt != time) {
            return createdAt < time;
        }
        return PackedEvent.id(base, at).compareTo(PackedEvent.bytes32(Lmdb.MEMORY, version + 8)) >= 0;
    }

    /// The newest version counts though it was deleted: from now on, versions before it do not come back.
    private void barOlderVersions(MemorySegment head) {
        if (!KindClass.of(PackedEvent.kind(head, 0)).supersedes()) {
            return;
        }
        byte[] address = Keys.address(head, 0);
        byte[] key = Keys.goneVersions(address);
        if (transaction.find(Table.TOMBSTONE, key) && isAtOrBefore(head, 0, transaction.dataAddress())) {
            return;
        }
        madeTombstones = true;
        changed = true;
        transaction.put(Table.TOMBSTONE, key, Keys.version(PackedEvent.createdAt(head, 0), PackedEvent.id(head, 0)));
        if (transaction.find(Table.ADDRESS, address)) {
            long at = transaction.dataAddress();
            long reference = Lmdb.MEMORY.get(Lmdb.BE_LONG, at + 40);
            if (!isAtOrBefore(head, 0, at)) {
                remove(Keys.sequence(reference));
            }
        }
    }

    private void putAddress(Event event, long reference) {
        byte[] value = Keys.addressValue(event.createdAt(), event.idBytes(), reference);
        transaction.put(Table.ADDRESS, Keys.address(event.packed(), 0), value);
    }

    // NIP-09: requests to delete.

    private void deleteTargets(Event request) {
        MemorySegment packed = request.packed();
        long end = PackedEvent.tagsEnd(packed, 0);
        for (long tag = PackedEvent.firstTag(0); tag < end; tag = PackedEvent.nextTag(packed, tag)) {
            char letter = PackedEvent.tagLetter(packed, tag);
            if (letter == 'e' && PackedEvent.tagIsRaw(packed, tag)) {
                deleteById(request, PackedEvent.bytes32(packed, PackedEvent.tagValue(tag)));
            } else if (letter == 'a' && !PackedEvent.tagIsRaw(packed, tag)) {
                Address.parse(PackedEvent.tagText(packed, tag)).ifPresent(address -> deleteByAddress(request, address));
            }
        }
    }

    private void deleteById(Event request, Bytes32 target) {
        Bytes32 requester = request.author().bytes();
        if (transaction.find(Table.ID, Keys.id(target))) {
            long number = Keys.sequence(transaction.dataLong());
            if (!transaction.findEvent(number)) {
                throw new IllegalStateException("no record of " + target);
            }
            MemorySegment head = transaction.copyHead();
            if (!mayDelete(requester, head)) {
                return;
            }
            remove(number);
            barOlderVersions(head);
        }
        putTombstone(Keys.goneId(target, requester), request.createdAt());
    }

    /// Whether the requester's word counts: the author's, or the recipient's of a gift wrap (NIP-59); and never for a
    /// request to delete or to vanish.
    private static boolean mayDelete(Bytes32 requester, MemorySegment head) {
        int kind = PackedEvent.kind(head, 0);
        if (kind == Keys.Kinds.DELETION || kind == Keys.Kinds.VANISH) {
            return false;
        }
        return requester.equals(PackedEvent.author(head, 0))
                || Keys.recipients(head, 0).contains(requester);
    }

    private void deleteByAddress(Event request, Address address) {
        if (!address.author().equals(request.author())) {
            return;
        }
        byte[] key = Keys.address(address.author().bytes(), address.kind(), address.d());
        putTombstone(Keys.goneAddress(key), request.createdAt());
        if (transaction.find(Table.ADDRESS, key) && transaction.dataLong() <= request.createdAt()) {
            remove(Keys.sequence(Lmdb.MEMORY.get(Lmdb.BE_LONG, transaction.dataAddress() + 40)));
        }
    }

    private boolean isDeletedById(Event event) {
        if (!mayHaveTombstones() || event.kind() == Keys.Kinds.DELETION || event.kind() == Keys.Kinds.VANISH) {
            return false;
        }
        if (transaction.find(
                Table.TOMBSTONE, Keys.goneId(event.idBytes(), event.author().bytes()))) {
            return true;
        }
        for (Bytes32 recipient : Keys.recipients(event.packed(), 0)) {
            if (transaction.find(Table.TOMBSTONE, Keys.goneId(event.idBytes(), recipient))) {
                return true;
            }
        }
        return false;
    }

    private boolean isDeletedByAddress(Event event) {
        if (!mayHaveTombstones() || !event.kindClass().supersedes()) {
            return false;
        }
        byte[] address = Keys.address(event.packed(), 0);
        if (transaction.find(Table.TOMBSTONE, Keys.goneAddress(address))
                && transaction.dataLong() >= event.createdAt()) {
            return true;
        }
        return transaction.find(Table.TOMBSTONE, Keys.goneVersions(address))
                && isAtOrBefore(event.packed(), 0, transaction.dataAddress());
    }

    // NIP-62: requests to vanish.

    private boolean isForUs(Event request) {
        for (Tag tag : request.tags()) {
            if (tag.name().equals("relay")
                    && (tag.value().equals(ALL_RELAYS)
                            || RelayUrl.parse(tag.value())
                                    .filter(ownUrls::contains)
                                    .isPresent())) {
                return true;
            }
        }
        return false;
    }

    private void vanish(Event request) {
        Bytes32 author = request.author().bytes();
        putTombstone(Keys.goneAuthor(author), request.createdAt());
        putIndexKeys();
        removeUpTo(Table.AUTHOR, Keys.author(author), request.createdAt(), author);
        byte[] addressed = Keys.tag('p', TagValue.of(author.hex()));
        removeUpTo(Table.TAG, addressed, request.createdAt(), author);
    }

    private void removeUpTo(Table table, byte[] prefix, long until, Bytes32 author) {
        List<Long> gone = new ArrayList<>();
        long cursor = transaction.cursor(table);
        boolean found = transaction.seek(cursor, prefix, until, 0, 0, 0, 0);
        while (found && Arrays.equals(Keys.copy(transaction.keyAddress(), prefix.length), prefix)) {
            long reference = transaction.dataLong();
            int kind = Keys.kind(reference);
            if (table == Table.AUTHOR ? kind != Keys.Kinds.VANISH : kind == Keys.Kinds.GIFT_WRAP) {
                gone.add(Keys.sequence(reference));
            }
            found = transaction.next(cursor);
        }
        for (long number : gone) {
            if (table == Table.AUTHOR || isAddressedTo(number, author)) {
                remove(number);
            }
        }
    }

    private boolean isAddressedTo(long number, Bytes32 author) {
        return transaction.findEvent(number)
                && Keys.recipients(Lmdb.MEMORY, transaction.dataAddress()).contains(author);
    }

    private boolean isVanished(Event event) {
        if (!mayHaveTombstones() || event.kind() == Keys.Kinds.VANISH) {
            return false;
        }
        if (hasVanished(event.author().bytes(), event.createdAt())) {
            return true;
        }
        for (Bytes32 recipient : Keys.recipients(event.packed(), 0)) {
            if (hasVanished(recipient, event.createdAt())) {
                return true;
            }
        }
        return false;
    }

    private boolean hasVanished(Bytes32 author, long createdAt) {
        return transaction.vanishedUpTo(Keys.goneAuthor(author)) >= createdAt;
    }

    // Common steps.

    private boolean isExpired(long expiration) {
        return expiration != 0 && expiration <= now;
    }

    private static boolean isErasure(Event event) {
        return event.kind() == Keys.Kinds.DELETION || event.kind() == Keys.Kinds.VANISH;
    }

    private boolean mayHaveTombstones() {
        return hasTombstones || madeTombstones;
    }

    /// Remembers a tombstone with the latest time asked for.
    private void putTombstone(byte[] key, long time) {
        madeTombstones = true;
        if (!transaction.find(Table.TOMBSTONE, key) || transaction.dataLong() < time) {
            transaction.put(Table.TOMBSTONE, key, time);
            changed = true;
        }
    }

    /// Removes an event and all its keys.
    private void remove(long number) {
        if (!transaction.findEvent(number)) {
            throw new IllegalStateException("no record of number " + number);
        }
        changed = true;
        MemorySegment head = transaction.copyHead();
        transaction.delete(Table.EVENT, Keys.number(number));
        transaction.delete(Table.ID, Keys.id(PackedEvent.id(head, 0)));
        if (unindexed.remove(number) == null) {
            Keys.ofEvent(head, 0, number, transaction::delete);
        }
        if (KindClass.of(PackedEvent.kind(head, 0)).supersedes()) {
            transaction.delete(Table.ADDRESS, Keys.address(head, 0));
        }
    }

    private void putIndexKeys() {
        Map<Table, List<byte[]>> entries = new EnumMap<>(Table.class);
        unindexed.forEach((number, event) -> {
            long reference = Keys.reference(number, event.kind());
            Keys.ofEvent(
                    event.packed(),
                    0,
                    number,
                    (table, key) -> entries.computeIfAbsent(table, _ -> new ArrayList<>())
                            .add(Keys.entry(key, reference)));
        });
        unindexed.clear();
        entries.forEach((table, list) -> {
            list.sort(Arrays::compareUnsigned);
            list.forEach(entry -> transaction.putInOrder(table, entry));
        });
    }
}
