package postroad.nostr.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import postroad.common.Bytes32;
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
/// Whatever the order of arrival, the store ends with the same events: a request to delete or to vanish is remembered
/// as a tombstone that outlives it, and counts even where the request itself may not be kept; the newest version of an
/// address counts even when it was deleted. Each event sees what those before it in the batch did. Keys of the ordered
/// indexes are put at the end, sorted, which keeps the pages they go to at hand. Owned by the writer.
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
        if (isExpired(event.expiration())) {
            return new WriteOutcome.Expired();
        }
        boolean ephemeral = event.kindClass() == KindClass.EPHEMERAL;
        if (!ephemeral && transaction.find(Table.ID, Keys.id(event.idBytes()))) {
            return new WriteOutcome.Duplicate();
        }
        if (isVanished(event)) {
            // The author's requests hold, though they are not kept: else the order of arrival would decide.
            erase(event);
            return new WriteOutcome.Vanished();
        }
        if (isDeletedById(event)) {
            supersede(event, true);
            return new WriteOutcome.Deleted();
        }
        if (isDeletedByAddress(event)) {
            return new WriteOutcome.Deleted();
        }
        if (ephemeral) {
            return new WriteOutcome.Ephemeral(++sequence);
        }
        if (noRoom.isPresent() && !isErasure(event)) {
            return new WriteOutcome.Failed(Prefix.ERROR.with(noRoom.get()));
        }
        return supersede(event, false) ? store(event) : new WriteOutcome.Superseded();
    }

    /// Removes up to `max` expired events; returns how many.
    int removeExpired(int max) {
        List<Long> gone = new ArrayList<>();
        boolean found = transaction.move(Table.EXPIRY, Lmdb.FIRST);
        while (found && gone.size() < max) {
            long key = transaction.keyAddress();
            if (!isExpired(Lmdb.MEMORY.get(Lmdb.BE_LONG, key))) {
                break;
            }
            gone.add(Lmdb.MEMORY.get(Lmdb.BE_LONG, key + 8));
            found = transaction.next(transaction.cursor(Table.EXPIRY));
        }
        gone.forEach(number -> remove(number, false));
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

    /// Compares an event with the newest version of its address and removes that one if it is older; true when the
    /// event is the newest. When it is `deleted`, its place is kept, so that no older version comes back.
    private boolean supersede(Event event, boolean deleted) {
        if (!event.kindClass().supersedes()) {
            return true;
        }
        byte[] address = Keys.address(event.packed(), 0);
        if (transaction.find(Table.ADDRESS, address)) {
            long at = transaction.dataAddress();
            long time = Lmdb.MEMORY.get(Lmdb.BE_LONG, at);
            Bytes32 id = PackedEvent.bytes32(Lmdb.MEMORY, at + 8);
            long reference = Lmdb.MEMORY.get(Lmdb.BE_LONG, at + 40);
            boolean newer = event.createdAt() > time
                    || event.createdAt() == time && event.idBytes().compareTo(id) < 0;
            if (!newer && !isExpiredRecord(reference)) {
                return false;
            }
            if (reference != 0) {
                remove(Keys.sequence(reference), false);
            }
        }
        if (deleted) {
            putAddress(event, 0);
            changed = true;
        }
        return true;
    }

    private void putAddress(Event event, long reference) {
        byte[] value = Keys.addressValue(event.createdAt(), event.idBytes(), reference);
        transaction.put(Table.ADDRESS, Keys.address(event.packed(), 0), value);
    }

    private boolean isExpiredRecord(long reference) {
        return reference != 0
                && transaction.findEvent(Keys.sequence(reference))
                && isExpired(PackedEvent.expiration(Lmdb.MEMORY, transaction.dataAddress()));
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
            if (!mayDelete(requester, transaction.copyHead())) {
                return;
            }
            remove(number, true);
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
        if (transaction.find(Table.ADDRESS, key)) {
            long time = transaction.dataLong();
            long reference = Lmdb.MEMORY.get(Lmdb.BE_LONG, transaction.dataAddress() + 40);
            if (time > request.createdAt()) {
                return;
            }
            if (reference == 0) {
                transaction.delete(Table.ADDRESS, key);
            } else {
                remove(Keys.sequence(reference), false);
            }
        }
    }

    private boolean isDeletedById(Event event) {
        if (!mayHaveTombstones()
                || event.kind() == Keys.Kinds.DELETION
                || event.kind() == Keys.Kinds.VANISH) {
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
        return mayHaveTombstones()
                && event.kindClass().supersedes()
                && transaction.find(Table.TOMBSTONE, Keys.goneAddress(Keys.address(event.packed(), 0)))
                && transaction.dataLong() >= event.createdAt();
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
                remove(number, false);
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

    /// Removes an event and all its keys; `keepPlace` when no older version of its address may come back.
    private void remove(long number, boolean keepPlace) {
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
            leaveAddress(head, keepPlace);
        }
    }

    private void leaveAddress(MemorySegment head, boolean keepPlace) {
        byte[] address = Keys.address(head, 0);
        if (keepPlace) {
            byte[] value = Keys.addressValue(PackedEvent.createdAt(head, 0), PackedEvent.id(head, 0), 0);
            transaction.put(Table.ADDRESS, address, value);
        } else {
            transaction.delete(Table.ADDRESS, address);
        }
    }

    private void putIndexKeys() {
        Map<Table, List<IndexKey>> keys = new LinkedHashMap<>();
        unindexed.forEach((number, event) -> {
            long reference = Keys.reference(number, event.kind());
            Keys.ofEvent(event.packed(), 0, number, (table, key) -> keys.computeIfAbsent(
                            table, unused -> new ArrayList<>())
                    .add(new IndexKey(key, reference)));
        });
        unindexed.clear();
        keys.forEach((table, list) -> {
            list.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
            list.forEach(one -> transaction.putInOrder(table, one.key, one.reference));
        });
    }

    /// A key to be put, and its value.
    private record IndexKey(byte[] key, long reference) {}
}
