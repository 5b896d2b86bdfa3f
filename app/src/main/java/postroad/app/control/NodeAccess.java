package postroad.app.control;

import java.util.Map;
import postroad.app.transfer.EventSink;
import postroad.nostr.store.EventStore;

/// What the control socket needs of the node behind it.
public interface NodeAccess {
    /// The node's store, for reading and backup.
    EventStore store();

    /// The node's one writer.
    EventSink sink();

    /// The node's figures by name, in the order in which they are shown.
    Map<String, String> figures();

    /// A failure in words for the person who gave the command.
    String inWords(Exception failure);

    /// How far `created_at` of an imported event may lie ahead, in seconds; 0 for no bound.
    long futureSeconds();
}
