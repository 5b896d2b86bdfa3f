/// Links between two processes. For now: a blocking WebSocket client over TCP or TLS.
///
/// A link is opened by one call that tries every address of the host, then one thread receives and any thread sends.
/// Public: [WebSocketLink], [WebSocketOptions], [WebSocketUrl], [LinkMessage], [LinkException].
package postroad.wire;
