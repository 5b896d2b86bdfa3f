package postroad.app.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Reads `ADDR:PORT`: an IPv4 address, an IPv6 one in brackets, or a name.
final class Listen {
    private Listen() {}

    static boolean isGood(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            return false;
        }
        String host = host(text, colon);
        return Integer.parseInt(text.substring(colon + 1)) <= 65_535
                && (text.startsWith("[")
                        ? text.charAt(colon - 1) == ']' && host.indexOf(':') >= 0
                        : host.indexOf(':') < 0)
                && !host.isBlank();
    }

    /// The address of a text that [#isGood]; a name is looked up.
    ///
    /// @throws IllegalArgumentException if the name is unknown
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = host(text, colon);
        try {
            InetAddress address = InetAddress.getAllByName(host)[0];
            return new InetSocketAddress(address, Integer.parseInt(text.substring(colon + 1)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("names the address " + host + ", which does not exist", e);
        }
    }

    private static String host(String text, int colon) {
        String host = text.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
