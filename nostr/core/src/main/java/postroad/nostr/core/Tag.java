package postroad.nostr.core;

import java.util.List;

/// One tag: its name, its value and what follows (NIP-01). May be empty.
public record Tag(List<String> values) {
    /// Copies the list.
    public Tag {
        values = List.copyOf(values);
    }

    /// A tag of these elements.
    public static Tag of(String... values) {
        return new Tag(List.of(values));
    }

    /// The first element, "" where there is none.
    public String name() {
        return values.isEmpty() ? "" : values.getFirst();
    }

    /// The second element, "" where there is none.
    public String value() {
        return values.size() < 2 ? "" : values.get(1);
    }
}
