package postroad.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/// Says why nothing can listen at an address, and what to do.
final class Listening {
    private Listening() {}

    /// Tries the address and lets go of it.
    ///
    /// @throws Failure when nothing can listen there
    static void tryAt(InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(address);
        } catch (IOException e) {
            throw new Failure(
                    inWords("cannot listen on " + address.getHostString() + " port " + address.getPort() + ": "
                            + e.getMessage()),
                    e);
        }
    }

    /// The system's reason without the name of its call, and what to do about it.
    static String inWords(String reason) {
        String plain = reason.replaceAll("\\b\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ", "");
        return plain + hint(plain);
    }

    private static String hint(String reason) {
        if (reason.contains("already in use")) {
            return "; another program listens there: stop it, or name another port (--listen ADDR:0 takes a free one)";
        }
        if (reason.contains("assign requested address")) {
            return "; this machine has no such address: 0.0.0.0 or [::] are all it has";
        }
        if (reason.contains("Permission denied")) {
            return "; this user may not take that port: name one from 1024 on, and let a reverse proxy have the low one";
        }
        return "";
    }
}
