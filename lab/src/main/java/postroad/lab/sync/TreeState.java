package postroad.lab.sync;

import java.util.Locale;
import java.util.stream.Stream;

/// What the receiver's tree is to the sender's when a session begins.
public enum TreeState {
    /// Empty.
    FRESH,
    /// The same.
    UNCHANGED,
    /// As it was before every fourth file got a twentieth of its bytes rewritten; in `bench folders`
    /// also before a new file of that size was put beside each of them.
    EDITED,
    /// As it was before every fourth file got another name.
    RENAMED;

    /// Reads a word of the command line.
    ///
    /// @throws IllegalArgumentException if it is none, with a text for the user
    public static TreeState of(String word) {
        return Stream.of(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--state is fresh, unchanged, edited or renamed, with commas between, not " + word));
    }

    /// As a word of the command line.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
