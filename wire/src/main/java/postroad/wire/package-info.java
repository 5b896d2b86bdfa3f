/// Links between two processes. For now: a blocking WebSocket client over TCP or TLS.
package postroad.wire;
