package postroad.lab.floor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.OptionalLong;

/// A server that is measured: a column of the tables.
///
/// @param name the column's head
/// @param pid its process, for its processor time; empty when it cannot be seen
record Target(String name, InetSocketAddress address, OptionalLong pid) {
    /// A relay that runs already, by its URL.
    ///
    /// @throws IllegalArgumentException if the URL is not of the form `ws://HOST:PORT`
    static Target peer(String url) throws IOException {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--peer needs a URL such as ws://127.0.0.1:7777, not " + url, e);
        }
        if (!"ws".equals(uri.getScheme()) || uri.getHost() == null || uri.getPort() < 0) {
            throw new IllegalArgumentException("--peer needs a URL such as ws://127.0.0.1:7777, not " + url);
        }
        InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
        boolean isHere = address.getAddress() != null && address.getAddress().isLoopbackAddress();
        return new Target(
                "peer " + uri.getPort(), address, isHere ? Cpu.listener(uri.getPort()) : OptionalLong.empty());
    }

    /// The processor time of its process so far; 0 when it cannot be seen.
    long cpuNanos() throws IOException {
        return pid.isPresent() ? Cpu.nanos(pid.getAsLong()) : 0;
    }
}
