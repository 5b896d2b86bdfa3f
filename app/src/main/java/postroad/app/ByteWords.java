package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import postroad.sync.core.Shown;

/// Words of the command line as text that loses no byte.
///
/// Names of files need not be UTF-8, and Java decodes its arguments by the locale, whatever gets lost. So the words are
/// read from the system, and a byte that is no UTF-8 stands in the text as a lone surrogate (U+DC80 to U+DCFF), which
/// no valid text has. [#bytes] gives the bytes back.
final class ByteWords {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final int ESCAPE = 0xDC00;

    private ByteWords() {}

    /// The process's own words, which Java gave as `args`.
    static List<String> ofProcess(String[] args) {
        List<String> given = Arrays.asList(args);
        if (given.stream().allMatch(ByteWords::isCertain)) {
            return given;
        }
        try {
            List<String> words = split(Files.readAllBytes(COMMAND_LINE));
            return words.size() > args.length ? words.subList(words.size() - args.length, words.size()) : given;
        } catch (IOException | UnsupportedOperationException e) {
            // A system without it: what Java made of the words is all there is.
            return given;
        }
    }

    /// Whether Java cannot have lost anything: where it does, it puts a question mark or a letter beyond ASCII.
    private static boolean isCertain(String word) {
        return word.chars().allMatch(letter -> letter < 0x7f && letter != '?');
    }

    private static List<String> split(byte[] line) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < line.length; at++) {
            if (line[at] == 0) {
                words.add(text(Arrays.copyOfRange(line, from, at)));
                from = at + 1;
            }
        }
        return words;
    }

    /// The text of these bytes.
    static String text(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length);
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            text.append(out.flip());
            out.clear();
            if (result.isUnderflow()) {
                return text.toString();
            }
            for (int left = result.length(); left > 0; left--) {
                text.append((char) (ESCAPE | Byte.toUnsignedInt(in.get())));
            }
            decoder.reset();
        }
    }

    /// The bytes of a word.
    static byte[] bytes(String word) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(word.length() + 8);
        for (int at = 0; at < word.length(); ) {
            int point = word.codePointAt(at);
            at += Character.charCount(point);
            if (point >= ESCAPE + 0x80 && point <= ESCAPE + 0xff) {
                bytes.write(point - ESCAPE);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /// A word for people.
    static String shown(String word) {
        return Shown.of(bytes(word));
    }
}
