package postroad.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/// Real connections of this process to itself.
final class Loopback {
    private Loopback() {}

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    static TcpListener listen(Optional<Identity> identity, LinkOptions options, Consumer<String> strays)
            throws Exception {
        return Links.listen(anyPort(), identity, options, strays);
    }

    static Link dial(TcpListener listener, Optional<Identity> identity) throws Exception {
        return Links.dial(
                listener.address().getAddress().getHostAddress(),
                listener.address().getPort(),
                identity,
                LinkOptions.DEFAULT);
    }

    /// The dialing end, then the accepted one.
    static LinkPair pair(Optional<Identity> dialing, Optional<Identity> listening) throws Exception {
        try (TcpListener listener = listen(listening, LinkOptions.DEFAULT, stray -> {})) {
            Link a = dial(listener, dialing);
            return new LinkPair(a, listener.accept().orElseThrow());
        }
    }
}
