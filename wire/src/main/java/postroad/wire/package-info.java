/// Links between two processes: streams of bytes for folder sync, and a WebSocket client for relays.
///
/// A link is opened by one call that tries every address of the host. A [Link] is one stream each way,
/// over TCP, TLS, memory or a simulated wire; [Links] dials and listens, a [TcpListener] hands out links
/// whose handshake is done, [Identity] says who this side is, [Pins] who is trusted, and a
/// [PairingToken] brings two together that do not know each other. Who is allowed is decided above: TLS
/// proves that a peer has the certificate whose [Fingerprint] the link tells.
///
/// Also public: [ForwardingLink], [LinkFacts], [LinkOptions], [LinkPair], [TlsLink], [MemoryLinks], [SimulatedLinks],
/// [WireShape], and for relays [WebSocketLink], [WebSocketOptions], [WebSocketUrl], [LinkMessage].
/// [LinkException] says what went wrong in words for people.
package postroad.wire;
