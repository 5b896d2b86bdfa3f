package postroad.nostr.relay;

import java.util.Map;

/// Figures of a running relay, counted since its start except `openConnections`.
///
/// @param openConnections WebSocket connections open now
/// @param connections WebSocket connections opened
/// @param messages messages received, by verb; `OTHER` for what is no verb of this relay's
/// @param accepted events accepted, ephemeral ones too
/// @param duplicates events that were there already
/// @param refused events refused, by the prefix of the answer
/// @param delivered events sent to live subscriptions
/// @param slowReadersCut connections ended because they did not read
/// @param ephemeralDropped ephemeral events that a subscription missed because its stored part took too long
public record RelayStats(
        long openConnections,
        long connections,
        Map<String, Long> messages,
        long accepted,
        long duplicates,
        Map<String, Long> refused,
        long delivered,
        long slowReadersCut,
        long ephemeralDropped) {
    /// Copies the maps.
    public RelayStats {
        messages = Map.copyOf(messages);
        refused = Map.copyOf(refused);
    }
}
