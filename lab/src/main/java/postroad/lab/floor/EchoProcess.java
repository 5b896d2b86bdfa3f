package postroad.lab.floor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import postroad.nostr.relay.EchoServer;

/// A process that is nothing but an [EchoServer]: prints `echo PORT`, and ends with its standard input.
public final class EchoProcess {
    private EchoProcess() {}

    /// Serves on the loopback.
    public static void main(String[] args) throws IOException {
        try (EchoServer server = EchoServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            System.out.println("echo " + server.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to it; the end is what it waits for.
            }
        }
    }
}
