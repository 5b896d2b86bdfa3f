package postroad.wire;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/// Where a WebSocket server is: a `ws` or `wss` URL taken apart.
///
/// @param host name or address, an IPv6 address without brackets
/// @param target path and query, as the HTTP request names them
public record WebSocketUrl(boolean secure, String host, int port, String target) {
    /// Reads a URL.
    ///
    /// @throws IllegalArgumentException if `text` is no `ws` or `wss` URL with a host, with what is wrong
    public static WebSocketUrl parse(String text) {
        URI uri = uri(text);
        boolean secure = secure(text, uri);
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("not a relay URL: " + text + " (expected ws://HOST[:PORT])");
        }
        String host = uri.getHost();
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        if (port == 0 || port > 65_535) {
            throw new IllegalArgumentException("not a relay URL: " + text + " (port " + port + " is not 1 to 65535)");
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new WebSocketUrl(secure, host, port, path + query);
    }

    /// Host and port as one reads them in a message: `relay.example:443`, `[::1]:7447`.
    public String authority() {
        return bracketed() + ":" + port;
    }

    /// The value of the `Host` header: the port only where it is not the scheme's own.
    String hostHeader() {
        return port == (secure ? 443 : 80) ? bracketed() : authority();
    }

    private String bracketed() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private static URI uri(String text) {
        try {
            return new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a relay URL: " + text + " (" + e.getReason() + ")", e);
        }
    }

    private static boolean secure(String text, URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "ws" -> false;
            case "wss" -> true;
            case "http", "https" ->
                throw new IllegalArgumentException("not a relay URL: " + text + " (a relay's URL begins with "
                        + (scheme.equals("http") ? "ws://" : "wss://") + ", not " + scheme + "://)");
            default ->
                throw new IllegalArgumentException(
                        "not a relay URL: " + text + " (it must begin with ws:// or wss://)");
        };
    }
}
