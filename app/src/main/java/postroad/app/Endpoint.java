package postroad.app;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Where one side of a folder sync is reached: `HOST:PORT`, or `HOST` for the usual port; IPv6 addresses in brackets.
record Endpoint(String host, int port) {
    /// The port when none is named.
    static final int USUAL_PORT = 7448;
    /// All addresses of this machine; of both families where there is IPv6.
    static final String EVERYWHERE = "::";

    /// Reads where a peer is.
    ///
    /// @param what the word or option, for the message
    static Endpoint parse(String text, String what) {
        return parse(text, what, "HOST:PORT", "192.0.2.7:" + USUAL_PORT);
    }

    /// Reads where to listen; without an address, everywhere.
    static Endpoint toListen(String text) {
        boolean isPortAlone = text.matches(":[0-9]+");
        return parse(
                (isPortAlone ? "[" + EVERYWHERE + "]" : "") + text,
                "--listen",
                "ADDR:PORT or :PORT",
                "0.0.0.0:" + USUAL_PORT);
    }

    private static Endpoint parse(String text, String what, String form, String example) {
        int bracket = text.indexOf(']');
        boolean isBracketed = text.startsWith("[") && bracket > 1;
        String rest = isBracketed ? text.substring(bracket + 1) : text;
        int colon = rest.indexOf(':');
        String host = isBracketed ? text.substring(1, bracket) : colon < 0 ? rest : rest.substring(0, colon);
        if (!isBracketed && colon >= 0 && rest.indexOf(':', colon + 1) >= 0) {
            throw new UsageException(what + " must be " + form + ", an IPv6 address in brackets: [" + text + "]:PORT");
        }
        String port = colon < 0 ? Integer.toString(USUAL_PORT) : rest.substring(colon + 1);
        boolean hasTail = isBracketed && colon != 0 && !rest.isEmpty();
        // A bare number would be an address of a kind that nobody means: 18503 is 0.0.72.71.
        boolean isNumber = host.matches("[0-9]+");
        if (host.isBlank() || isNumber || hasTail || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new UsageException(
                    what + " must be " + form + ", such as " + example + ", not " + ByteWords.shown(text));
        }
        return new Endpoint(host, Integer.parseInt(port));
    }

    /// The address to listen on.
    InetSocketAddress address() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new Failure("cannot listen on " + this + ": the name does not resolve to an address", e);
        }
    }

    /// As it is written on a command line.
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
