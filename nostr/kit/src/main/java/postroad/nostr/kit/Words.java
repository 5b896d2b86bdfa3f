package postroad.nostr.kit;

import java.util.Random;

/// Text like people's: words, links, line breaks, quotes, several scripts, emoji. Owned by one thread.
final class Words {
    private static final String[] COMMON = {
        "the",
        "a",
        "relay",
        "and",
        "to",
        "of",
        "note",
        "zap",
        "is",
        "in",
        "for",
        "people",
        "who",
        "run",
        "their",
        "own",
        "keys",
        "we",
        "you",
        "it",
        "today",
        "morning",
        "coffee",
        "bitcoin",
        "freedom",
        "client",
        "event",
        "good",
        "new",
        "read",
        "write",
        "this",
        "that",
        "with",
        "from",
        "never",
        "lost",
        "again",
        "open",
        "protocol",
        "simple",
        "works",
        "think",
        "about",
        "time",
        "world",
        "friends",
        "photo",
        "music",
        "walk",
        "garden",
        "river",
        "bread",
        "code",
        "test"
    };
    private static final String[] RARE = {
        "\n",
        "\n\n",
        "\"quoted\"",
        "back\\slash",
        "\t",
        "🤙",
        "😀",
        "👩‍👩‍👧",
        "日本語のテキスト",
        "привет",
        "عربى",
        "ünïcödé",
        "https://example.com/a/b?c=d&e=f#g",
        "<b>bold</b>",
        "\u2028",
        "\u007f",
        "1.5e9",
        "#nostr"
    };

    private final Random random;

    Words(Random random) {
        this.random = random;
    }

    /// About `count` words.
    String text(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                text.append(' ');
            }
            boolean isRare = random.nextInt(12) == 0;
            text.append(isRare ? RARE[random.nextInt(RARE.length)] : word());
        }
        return text.toString();
    }

    /// A common word, few of them most of the time.
    String word() {
        return COMMON[skewed(COMMON.length)];
    }

    /// A number below `bound`, small ones far more often, as by Zipf's law.
    int skewed(int bound) {
        return (int) Math.exp(random.nextDouble() * Math.log(bound + 1.0)) - 1;
    }

    /// Base64-like text, as encrypted content is.
    String cipher(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charAt(random.nextInt(64)));
        }
        return text.toString();
    }
}
