package postroad.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import postroad.wire.WebSocketUrl;

/// Fetches what a relay says of itself (NIP-11).
final class RelayDocument {
    private static final int MAX_BYTES = 1 << 20;

    private RelayDocument() {}

    /// The document of the relay at `url`, indented for people or on one line for scripts.
    static String fetch(String url, int timeoutSeconds, boolean oneLine) throws IOException {
        WebSocketUrl where = where(url.strip());
        URI address = URI.create((where.secure() ? "https://" : "http://") + where.authority() + where.target());
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestProperty("Accept", "application/nostr+json");
        connection.setConnectTimeout(1000 * timeoutSeconds);
        connection.setReadTimeout(1000 * timeoutSeconds);
        try {
            return pretty(url, body(url, connection), oneLine);
        } catch (SocketTimeoutException e) {
            throw new Failure("no answer from " + url + " within " + timeoutSeconds + " s", e);
        } catch (SSLException e) {
            throw new Failure("TLS with " + where.authority() + " failed: " + reason(e), e);
        } catch (ConnectException e) {
            throw new Failure("cannot connect to " + where.authority() + ": " + reason(e), e);
        } catch (UnknownHostException e) {
            throw new Failure("cannot find the host " + where.host() + ": the name does not resolve", e);
        } finally {
            connection.disconnect();
        }
    }

    /// The document lies at the relay's address with http for ws; whoever copies that form means the same.
    private static WebSocketUrl where(String url) {
        if (!url.contains("://")) {
            throw new UsageException("not a relay's address: " + url + " (it must begin with ws:// or http://, or with"
                    + " wss:// or https:// where there is TLS)");
        }
        try {
            return WebSocketUrl.parse(url.replaceFirst("^(?i)http(s?)://", "ws$1://"));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static String reason(SSLException e) {
        String said = String.valueOf(e.getMessage());
        return said.contains("plaintext connection") || said.contains("unrecognized SSL message")
                ? "it does not speak TLS there; perhaps http:// or ws:// is meant"
                : said;
    }

    private static String reason(ConnectException e) {
        String said = String.valueOf(e.getMessage());
        return said.contains("refused") ? "connection refused, nothing listens there" : said;
    }

    private static byte[] body(String url, HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status != 200) {
            throw new Failure(url + " answered HTTP " + status + " instead of a relay's document (NIP-11)");
        }
        try (InputStream in = connection.getInputStream()) {
            byte[] body = in.readNBytes(MAX_BYTES + 1);
            if (body.length > MAX_BYTES) {
                throw new Failure(url + " sent a document of more than " + MAX_BYTES + " bytes");
            }
            return body;
        }
    }

    private static String pretty(String url, byte[] body, boolean oneLine) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        try {
            JsonNode document = mapper.readTree(body);
            return oneLine
                    ? mapper.writeValueAsString(document)
                    : mapper.writerWithDefaultPrettyPrinter().writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new Failure(url + " sent no JSON; is it a relay?", e);
        }
    }
}
