package postroad.sync.folder;

import java.nio.charset.StandardCharsets;

/// Names as file systems compare them that take upper and lower case for the same: by Unicode, character by character.
public final class Spelling {
    /// What bytes become that are no UTF-8.
    private static final char NO_CHARACTER = '\ufffd';

    private Spelling() {}

    /// What all spellings of `name` have in common. Bytes that are no UTF-8 count each for itself.
    public static String folded(byte[] name) {
        String text = new String(name, StandardCharsets.UTF_8);
        if (text.indexOf(NO_CHARACTER) >= 0) {
            text = new String(name, StandardCharsets.ISO_8859_1);
        }
        StringBuilder folded = new StringBuilder(text.length());
        text.codePoints().forEach(each -> folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(each))));
        return folded.toString();
    }
}
