package postroad.nostr.core;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/// A relay's address in normal form, so that two spellings of it compare equal (NIP-42, NIP-62).
///
/// Scheme and host in lower case, a default port and a trailing slash of the path dropped, no fragment.
public record RelayUrl(String text) {
    /// The normal form of `url`; empty when it is no `ws` or `wss` URL with a host.
    public static Optional<RelayUrl> parse(String url) {
        try {
            URI uri = new URI(url.strip());
            if (uri.getScheme() == null || uri.getHost() == null || uri.getUserInfo() != null) {
                return Optional.empty();
            }
            String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
            if (!scheme.equals("ws") && !scheme.equals("wss")) {
                return Optional.empty();
            }
            String host = uri.getHost().toLowerCase(Locale.ROOT);
            if (host.endsWith(".") && host.length() > 1) {
                host = host.substring(0, host.length() - 1);
            }
            int usual = scheme.equals("ws") ? 80 : 443;
            String port = uri.getPort() < 0 || uri.getPort() == usual ? "" : ":" + uri.getPort();
            String path = uri.normalize().getRawPath();
            while (path.endsWith("/")) {
                path = path.substring(0, path.length() - 1);
            }
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return Optional.of(new RelayUrl(scheme + "://" + host + port + path + query));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
