package postroad.nostr.store;

import java.util.List;

/// Where one filter's rows are looked for: a table, and the beginnings of the keys in it, one stream for each.
///
/// In [Table#ID] the beginnings are whole ids. Every row found is still matched against the whole filter.
record Plan(Table table, List<byte[]> prefixes) {
    /// Nothing can match.
    static final Plan NOTHING = new Plan(Table.TIME, List.of());

    /// Copies the list.
    Plan {
        prefixes = List.copyOf(prefixes);
    }
}
