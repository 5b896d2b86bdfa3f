package postroad.app;

import java.util.LinkedHashMap;
import java.util.Map;
import postroad.nostr.store.StoreInfo;

/// A node's figures by name, for people and scripts.
final class Figures {
    private Figures() {}

    /// The store's part.
    static Map<String, String> of(StoreInfo info) {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("store.state", info.state());
        figures.put("store.events", Long.toString(info.events()));
        figures.put("store.sequence", Long.toString(info.sequence()));
        figures.put("store.tombstones", Long.toString(info.tombstones()));
        figures.put("store.file_bytes", Long.toString(info.fileBytes()));
        figures.put("store.used_bytes", Long.toString(info.usedBytes()));
        figures.put("store.map_bytes", Long.toString(info.mapBytes()));
        figures.put("store.format", Integer.toString(info.format()));
        return figures;
    }

    /// The figures with numbers as numbers.
    static Map<String, Object> typed(Map<String, String> figures) {
        Map<String, Object> typed = new LinkedHashMap<>();
        figures.forEach((name, text) -> typed.put(name, text.matches("[0-9]{1,18}") ? Long.valueOf(text) : text));
        return typed;
    }
}
