package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import postroad.common.Bytes32;
import postroad.common.Hex;
import postroad.common.Schnorr;
import postroad.common.Sha256;

/// Reads one event at a cursor into its packed form and checks its id. Owned by one thread.
///
/// Tags and content are copied once into canonical form, which serves both the hash and the JSON that is kept. Keys
/// may come in any order; a key this reader does not know is validated and left out.
final class EventReader {
    /// The largest whole number that every JSON reader keeps exact: 2^53 − 1.
    static final long MAX_TIME = (1L << 53) - 1;

    private static final int MAX_KIND = 65_535;

    /// Scratch beyond this is given back after the event that needed it.
    private static final int KEPT_SCRATCH = 256 << 10;

    private static final int HAS_ID = 1;
    private static final int HAS_AUTHOR = 1 << 1;
    private static final int HAS_CREATED_AT = 1 << 2;
    private static final int HAS_KIND = 1 << 3;
    private static final int HAS_TAGS = 1 << 4;
    private static final int HAS_CONTENT = 1 << 5;
    private static final int HAS_SIGNATURE = 1 << 6;
    private static final int UNSIGNED = HAS_AUTHOR | HAS_CREATED_AT | HAS_KIND | HAS_TAGS | HAS_CONTENT;
    private static final int SIGNED = UNSIGNED | HAS_ID | HAS_SIGNATURE;
    private static final String[] KEYS = {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"};

    private static final byte[] TEXT_ID = ascii("id");
    private static final byte[] TEXT_AUTHOR = ascii("pubkey");
    private static final byte[] TEXT_CREATED_AT = ascii("created_at");
    private static final byte[] TEXT_KIND = ascii("kind");
    private static final byte[] TEXT_TAGS = ascii("tags");
    private static final byte[] TEXT_CONTENT = ascii("content");
    private static final byte[] TEXT_SIGNATURE = ascii("sig");

    private static final byte[] JSON_ID = ascii("{\"id\":\"");
    private static final byte[] JSON_AUTHOR = ascii("\",\"pubkey\":\"");
    private static final byte[] JSON_CREATED_AT = ascii("\",\"created_at\":");
    private static final byte[] JSON_KIND = ascii(",\"kind\":");
    private static final byte[] JSON_TAGS = ascii(",\"tags\":");
    private static final byte[] JSON_CONTENT = ascii(",\"content\":");
    private static final byte[] JSON_SIGNATURE = ascii(",\"sig\":\"");
    private static final byte[] JSON_END = ascii("\"}");
    private static final byte[] HASHED_BEGIN = ascii("[0,\"");
    private static final byte[] HASHED_AUTHOR_END = ascii("\",");
    private static final byte[] HASHED_END = ascii("]");
    private static final byte[] COMMA = ascii(",");

    /// Where `created_at` begins in what is hashed.
    private static final int HEAD_CREATED_AT = HASHED_BEGIN.length + 2 * Bytes32.LENGTH + HASHED_AUTHOR_END.length;

    private static final byte[] EXPIRATION = ascii("\"expiration\"");

    private final EventLimits limits;
    private final Sha256 sha256 = new Sha256();
    private final byte[] id = new byte[Bytes32.LENGTH];
    private final byte[] hash = new byte[Bytes32.LENGTH];
    private final byte[] author = new byte[Bytes32.LENGTH];
    private final byte[] signature = new byte[Schnorr.SIGNATURE_LENGTH];
    private final byte[] idDigits = new byte[2 * Bytes32.LENGTH];
    private final byte[] authorDigits = new byte[2 * Bytes32.LENGTH];
    private final byte[] signatureDigits = new byte[2 * Schnorr.SIGNATURE_LENGTH];

    /// What is hashed before the tags: `[0,"author",created_at,kind,`.
    private final byte[] head = new byte[128];

    private int createdAtTo;
    private int kindTo;

    /// Canonical tags and content, and decoded strings beside them.
    private byte[] text = new byte[4096];

    /// The tag table, as it will be packed.
    private byte[] table = new byte[1024];

    private int textEnd;
    private int tableEnd;
    private int tagsFrom;
    private int tagsTo;
    private int contentFrom;
    private int contentTo;
    private long createdAt;
    private int kind;
    private long expiration;
    private boolean isProtected;

    EventReader(EventLimits limits) {
        this.limits = limits;
    }

    /// Reads an event whose id and signature are there, and checks the id.
    ///
    /// @throws Refusal when it is none, or beyond a limit
    Event read(JsonCursor in) {
        begin(in);
        requireKeys(readObject(in), SIGNED);
        hash();
        if (!Arrays.equals(hash, id)) {
            throw Refusal.invalid("bad event id: it is not the hash of the event");
        }
        return pack();
    }

    /// Reads an event without id and signature, computes the one and makes the other.
    ///
    /// @throws Refusal when it is none, or beyond a limit
    Event readAndSign(JsonCursor in, Schnorr.KeyPair key) {
        begin(in);
        requireKeys(readObject(in), UNSIGNED);
        hash();
        System.arraycopy(hash, 0, id, 0, id.length);
        byte[] made = key.sign(Bytes32.of(id), new Bytes32(0, 0, 0, 0));
        System.arraycopy(made, 0, signature, 0, signature.length);
        Hex.encode(id, 0, id.length, idDigits, 0);
        Hex.encode(signature, 0, signature.length, signatureDigits, 0);
        return pack();
    }

    private void begin(JsonCursor in) {
        // Neither canonical text nor tag table is ever longer than the JSON it is made of.
        int enough = in.remaining() + 16;
        text = scratch(text, enough);
        table = scratch(table, enough);
        textEnd = 0;
        tableEnd = 0;
        expiration = 0;
        isProtected = false;
    }

    private static byte[] scratch(byte[] old, int enough) {
        boolean fits = old.length >= enough && (old.length <= KEPT_SCRATCH || enough > KEPT_SCRATCH);
        return fits ? old : new byte[Math.max(enough, 4096)];
    }

    private int readObject(JsonCursor in) {
        if (in.peek() != '{') {
            throw Refusal.invalid("an event must be a JSON object");
        }
        in.take('{');
        int seen = 0;
        if (in.tryTake('}')) {
            return seen;
        }
        do {
            int key = readKey(in);
            if ((seen & key) != 0) {
                throw Refusal.invalid("the key " + name(key) + " is there twice");
            }
            seen |= key;
            in.take(':');
            readValue(in, key);
        } while (in.takeMore('}'));
        return seen;
    }

    /// Reads a key; its flag, 0 for one that is not the event's.
    private int readKey(JsonCursor in) {
        int from = textEnd;
        int to = in.copyString(text, from) - 1;
        from++;
        return switch (to - from) {
            case 2 -> is(TEXT_ID, from) ? HAS_ID : 0;
            case 3 -> is(TEXT_SIGNATURE, from) ? HAS_SIGNATURE : 0;
            case 4 -> is(TEXT_KIND, from) ? HAS_KIND : is(TEXT_TAGS, from) ? HAS_TAGS : 0;
            case 6 -> is(TEXT_AUTHOR, from) ? HAS_AUTHOR : 0;
            case 7 -> is(TEXT_CONTENT, from) ? HAS_CONTENT : 0;
            case 10 -> is(TEXT_CREATED_AT, from) ? HAS_CREATED_AT : 0;
            default -> 0;
        };
    }

    private boolean is(byte[] key, int from) {
        return Arrays.equals(key, 0, key.length, text, from, from + key.length);
    }

    private void readValue(JsonCursor in, int key) {
        switch (key) {
            case HAS_ID -> readHex(in, "id", id, idDigits);
            case HAS_AUTHOR -> readHex(in, "pubkey", author, authorDigits);
            case HAS_SIGNATURE -> readHex(in, "sig", signature, signatureDigits);
            case HAS_CREATED_AT -> createdAt = in.integer("created_at", MAX_TIME);
            case HAS_KIND -> kind = (int) in.integer("kind", MAX_KIND);
            case HAS_TAGS -> readTags(in);
            case HAS_CONTENT -> readContent(in);
            default -> in.skipValue();
        }
    }

    private static void readHex(JsonCursor in, String name, byte[] target, byte[] digits) {
        if (!in.tryTakeHex(target, digits)) {
            if (in.peek() != '"') {
                throw Refusal.invalid(name + " must be a string");
            }
            HexText.decode(name, in.string(), target);
            Hex.encode(target, 0, target.length, digits, 0);
        }
    }

    private void readContent(JsonCursor in) {
        if (in.peek() != '"') {
            throw Refusal.invalid("content must be a string");
        }
        contentFrom = textEnd;
        contentTo = in.copyString(text, contentFrom);
        textEnd = contentTo;
        if (contentTo - contentFrom - 2 - in.escapeOverhead() > limits.maxContentBytes()) {
            throw Refusal.invalid("content is longer than " + limits.maxContentBytes() + " bytes");
        }
    }

    private void readTags(JsonCursor in) {
        if (in.peek() != '[') {
            throw tagsAreNoArrays();
        }
        in.take('[');
        tagsFrom = textEnd;
        text[textEnd++] = '[';
        if (!in.tryTake(']')) {
            int count = 0;
            do {
                if (count == limits.maxTags()) {
                    throw Refusal.invalid("more than " + limits.maxTags() + " tags");
                }
                if (count > 0) {
                    text[textEnd++] = ',';
                }
                readTag(in);
                count++;
            } while (in.takeMore(']'));
        }
        text[textEnd++] = ']';
        tagsTo = textEnd;
    }

    private void readTag(JsonCursor in) {
        if (in.peek() != '[') {
            throw tagsAreNoArrays();
        }
        in.take('[');
        text[textEnd++] = '[';
        int nameFrom = textEnd;
        int nameTo = textEnd;
        int valueFrom = 0;
        int valueTo = 0;
        int size = 0;
        if (!in.tryTake(']')) {
            do {
                if (size > 0) {
                    text[textEnd++] = ',';
                }
                int from = textEnd;
                readTagElement(in);
                if (size == 0) {
                    nameTo = textEnd;
                } else if (size == 1) {
                    valueFrom = from;
                    valueTo = textEnd;
                }
                size++;
            } while (in.takeMore(']'));
        }
        text[textEnd++] = ']';
        noteTag(nameFrom, nameTo, size > 1, valueFrom, valueTo);
    }

    private void readTagElement(JsonCursor in) {
        if (in.peek() != '"') {
            throw tagsAreNoArrays();
        }
        int from = textEnd;
        textEnd = in.copyString(text, from);
        if (textEnd - from - 2 - in.escapeOverhead() > limits.maxTagValueBytes()) {
            throw Refusal.invalid("a tag value is longer than " + limits.maxTagValueBytes() + " bytes");
        }
    }

    private static Refusal tagsAreNoArrays() {
        return Refusal.invalid("tags must be an array of arrays of strings");
    }

    /// Notes what the header and the tag table have to say of a tag; places are those of quoted strings in `text`.
    private void noteTag(int nameFrom, int nameTo, boolean hasValue, int valueFrom, int valueTo) {
        int length = nameTo - nameFrom;
        if (length == 3) {
            byte letter = text[nameFrom + 1];
            if (letter == '-') {
                isProtected = true;
            } else if (isLetter(letter) && hasValue) {
                noteValue(letter, valueFrom + 1, valueTo - 1);
            } else if (letter == 'd') {
                tableEnd = PackedEvent.writeTag(table, tableEnd, letter, false, 0);
            }
        } else if (length == EXPIRATION.length && Arrays.equals(EXPIRATION, 0, length, text, nameFrom, nameTo)) {
            noteExpiration(hasValue, valueFrom + 1, valueTo - 1);
        }
    }

    private void noteValue(byte letter, int from, int to) {
        int at = PackedEvent.tagValueAt(tableEnd);
        boolean raw = to - from == 2 * Bytes32.LENGTH && Hex.tryDecodeLower(text, from, Bytes32.LENGTH, table, at);
        int length = raw ? Bytes32.LENGTH : CanonicalText.unescape(text, from, to, table, at) - at;
        tableEnd = PackedEvent.writeTag(table, tableEnd, letter, raw, length);
    }

    /// Of several expirations the earliest counts, so that no reading of the event is served late.
    private void noteExpiration(boolean hasValue, int from, int to) {
        long value = 0;
        boolean plain = hasValue && to > from && to - from <= 16 && (text[from] != '0' || to - from == 1);
        for (int i = from; plain && i < to; i++) {
            plain = text[i] >= '0' && text[i] <= '9';
            value = value * 10 + (text[i] - '0');
        }
        if (!plain || value > MAX_TIME) {
            throw Refusal.invalid("the expiration tag must hold a time in whole seconds");
        }
        long atLeastOne = Math.max(1, value);
        expiration = expiration == 0 ? atLeastOne : Math.min(expiration, atLeastOne);
    }

    private static boolean isLetter(byte b) {
        return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    private static void requireKeys(int seen, int required) {
        int missing = required & ~seen;
        if (missing != 0) {
            throw Refusal.invalid("the key " + name(missing) + " is missing");
        }
    }

    private static String name(int key) {
        return KEYS[Integer.numberOfTrailingZeros(key)];
    }

    private void hash() {
        int at = put(authorDigits, head, put(HASHED_BEGIN, head, 0));
        at = put(HASHED_AUTHOR_END, head, at);
        createdAtTo = putNumber(createdAt, head, at);
        head[createdAtTo] = ',';
        kindTo = putNumber(kind, head, createdAtTo + 1);
        head[kindTo] = ',';
        sha256.update(head, 0, kindTo + 1);
        sha256.update(text, tagsFrom, tagsTo - tagsFrom);
        sha256.update(COMMA, 0, 1);
        sha256.update(text, contentFrom, contentTo - contentFrom);
        sha256.update(HASHED_END, 0, 1);
        sha256.finish(hash, 0);
    }

    private Event pack() {
        int json = jsonLength();
        if (json > limits.maxBytes()) {
            throw Refusal.invalid("the event is larger than " + limits.maxBytes() + " bytes");
        }
        byte[] packed = new byte[PackedEvent.TABLE + tableEnd + json];
        PackedEvent.writeHeader(packed, isProtected, kind, tableEnd, createdAt, expiration, id, author);
        System.arraycopy(table, 0, packed, PackedEvent.TABLE, tableEnd);
        writeJson(packed, PackedEvent.TABLE + tableEnd);
        return new Event(packed, signature.clone());
    }

    private int jsonLength() {
        return JSON_ID.length
                + JSON_AUTHOR.length
                + JSON_CREATED_AT.length
                + JSON_KIND.length
                + JSON_TAGS.length
                + JSON_CONTENT.length
                + JSON_SIGNATURE.length
                + JSON_END.length
                + idDigits.length
                + authorDigits.length
                + signatureDigits.length
                + (createdAtTo - HEAD_CREATED_AT)
                + (kindTo - createdAtTo - 1)
                + (tagsTo - tagsFrom)
                + (contentTo - contentFrom);
    }

    private void writeJson(byte[] target, int at) {
        at = put(idDigits, target, put(JSON_ID, target, at));
        at = put(authorDigits, target, put(JSON_AUTHOR, target, at));
        at = put(head, HEAD_CREATED_AT, createdAtTo, target, put(JSON_CREATED_AT, target, at));
        at = put(head, createdAtTo + 1, kindTo, target, put(JSON_KIND, target, at));
        at = put(text, tagsFrom, tagsTo, target, put(JSON_TAGS, target, at));
        at = put(text, contentFrom, contentTo, target, put(JSON_CONTENT, target, at));
        at = put(signatureDigits, target, put(JSON_SIGNATURE, target, at));
        put(JSON_END, target, at);
    }

    private static int put(byte[] source, int from, int to, byte[] target, int at) {
        System.arraycopy(source, from, target, at, to - from);
        return at + to - from;
    }

    private static int put(byte[] source, byte[] target, int at) {
        System.arraycopy(source, 0, target, at, source.length);
        return at + source.length;
    }

    private static int putNumber(long value, byte[] target, int at) {
        int after = at + digits(value);
        long rest = value;
        for (int i = after - 1; i >= at; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return after;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
