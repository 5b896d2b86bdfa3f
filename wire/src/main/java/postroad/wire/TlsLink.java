package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateEncodingException;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/// TLS 1.3 over any other link, both ends with a certificate.
///
/// The reading thread owns what comes in, the writing thread what goes out; they meet in the engine
/// alone. The reader never writes, whatever the engine asks for after the handshake (an answer to a key
/// update goes out with the next write): two readers that each waited to write would wait for ever. A
/// stream that ends without the peer's goodbye was cut off, and reading says so.
public final class TlsLink implements Link {
    /// Several records go through the inner link at once.
    private static final int RECORDS = 8;

    private final Link inner;
    private final SSLEngine engine;
    private final ByteBuffer netIn;
    private final ByteBuffer netOut;
    private ByteBuffer plain;
    private boolean sawRecord;
    private boolean ended;
    private boolean finished;
    private Fingerprint peerFingerprint;
    private String cipher;

    private TlsLink(Link inner, SSLEngine engine) {
        this.inner = inner;
        this.engine = engine;
        int record = engine.getSession().getPacketBufferSize();
        this.netIn = ByteBuffer.allocate(RECORDS * record).limit(0);
        this.netOut = ByteBuffer.allocate(RECORDS * record);
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
    }

    /// Shakes hands as the side that dialed. A failed handshake closes the inner link.
    ///
    /// @throws IOException with a text for people
    public static TlsLink connect(Link inner, Identity identity) throws IOException {
        return open(inner, TlsSettings.engine(identity, true));
    }

    /// Shakes hands as the side that was dialed. A failed handshake closes the inner link.
    ///
    /// @throws IOException with a text for people
    public static TlsLink accept(Link inner, Identity identity) throws IOException {
        return open(inner, TlsSettings.engine(identity, false));
    }

    private static TlsLink open(Link inner, SSLEngine engine) throws IOException {
        TlsLink link = new TlsLink(inner, engine);
        try {
            link.shakeHands();
            return link;
        } catch (SSLException e) {
            link.sendAlert();
            throw new LinkException(handshakeFailure(inner.peer(), e), e);
        } catch (IOException e) {
            link.close();
            throw e;
        }
    }

    private void shakeHands() throws IOException {
        engine.beginHandshake();
        while (true) {
            HandshakeStatus status = engine.getHandshakeStatus();
            switch (status) {
                case NEED_WRAP -> sendHandshake();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> receiveHandshake();
                case NEED_TASK -> runTasks();
                case FINISHED, NOT_HANDSHAKING -> {
                    noteThePeer();
                    return;
                }
            }
        }
    }

    /// Everything that is to be said now, in one write.
    private void sendHandshake() throws IOException {
        netOut.clear();
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), netOut);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                break;
            }
            if (netOut.remaining() < engine.getSession().getPacketBufferSize()) {
                break;
            }
        }
        inner.write(netOut.flip());
    }

    private void receiveHandshake() throws IOException {
        SSLEngineResult result = engine.unwrap(netIn, plain.clear());
        plain.flip();
        switch (result.getStatus()) {
            case OK -> {
                return;
            }
            case BUFFER_UNDERFLOW -> {
                if (!fill()) {
                    throw new LinkException(
                            peer() + " closed the connection during the TLS handshake" + " (it may have --plaintext)");
                }
                refuseOtherProtocols();
            }
            case CLOSED -> throw new LinkException(peer() + " gave up the TLS handshake");
            case BUFFER_OVERFLOW -> throw new IllegalStateException("a handshake holds no data");
        }
    }

    private void refuseOtherProtocols() throws IOException {
        if (sawRecord || netIn.remaining() < 2) {
            return;
        }
        sawRecord = true;
        if (!TlsRecord.isTls(netIn.get(netIn.position()), netIn.get(netIn.position() + 1))) {
            throw new SSLException("it does not speak TLS (one side has --plaintext, or something else is there)");
        }
    }

    private void runTasks() {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }

    private void noteThePeer() throws IOException {
        try {
            peerFingerprint = Fingerprint.ofCertificate(
                    engine.getSession().getPeerCertificates()[0].getEncoded());
        } catch (SSLPeerUnverifiedException | CertificateEncodingException e) {
            throw new LinkException(peer() + " showed no certificate", e);
        }
        cipher = engine.getSession().getCipherSuite();
    }

    private static String handshakeFailure(String peer, SSLException e) {
        String text = String.valueOf(e.getMessage());
        String alert = "Received fatal alert: ";
        return text.startsWith(alert)
                ? peer + " refused the TLS handshake: "
                        + text.substring(alert.length()).replace('_', ' ')
                : "no TLS with " + peer + ": " + text;
    }

    /// Tells the peer that TLS failed, as far as that goes, and ends the link.
    private void sendAlert() {
        try {
            netOut.clear();
            SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), netOut);
            if (result.bytesProduced() == 0) {
                netOut.put(TlsRecord.HANDSHAKE_FAILURE.duplicate());
            }
            inner.write(netOut.flip());
        } catch (IOException e) {
            // The peer learns it from the closed connection.
        }
        Links.part(inner, Links.PARTING);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (!into.hasRemaining()) {
            return 0;
        }
        try {
            while (!plain.hasRemaining()) {
                if (ended) {
                    return -1;
                }
                if (into.remaining() >= plain.capacity()) {
                    int before = into.position();
                    decrypt(into);
                    if (into.position() > before) {
                        return into.position() - before;
                    }
                } else {
                    decrypt(plain.clear());
                    plain.flip();
                }
            }
        } catch (SSLException e) {
            throw failure(e);
        }
        int count = Math.min(into.remaining(), plain.remaining());
        into.put(into.position(), plain, plain.position(), count);
        into.position(into.position() + count);
        plain.position(plain.position() + count);
        return count;
    }

    /// Waits for whole records and takes as many as came and `target` has room for; nothing at the end
    /// of the stream.
    private void decrypt(ByteBuffer target) throws IOException {
        int before = target.position();
        while (true) {
            SSLEngineResult result = engine.unwrap(netIn, target);
            boolean some = target.position() > before;
            switch (result.getStatus()) {
                case OK -> {
                    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                        runTasks();
                    }
                }
                case BUFFER_UNDERFLOW -> {
                    if (some) {
                        return;
                    }
                    if (!fill()) {
                        throw new LinkException("the connection to " + peer() + " was cut off by the other side");
                    }
                }
                case BUFFER_OVERFLOW -> {
                    if (some) {
                        return;
                    }
                    // A peer may send records larger than usual; the engine has a new measure then.
                    throw new SSLException("a record is larger than TLS allows");
                }
                case CLOSED -> {
                    ended = true;
                    return;
                }
            }
        }
    }

    /// Reads what is there; false at the end.
    private boolean fill() throws IOException {
        netIn.compact();
        try {
            return inner.read(netIn) >= 0;
        } finally {
            netIn.flip();
        }
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        try {
            while (from.hasRemaining()) {
                encrypt(from);
                inner.write(netOut.flip());
            }
        } catch (SSLException e) {
            throw failure(e);
        }
    }

    private void encrypt(ByteBuffer from) throws IOException {
        netOut.clear();
        int record = engine.getSession().getPacketBufferSize();
        while (from.hasRemaining() && netOut.remaining() >= record) {
            SSLEngineResult result = engine.wrap(from, netOut);
            switch (result.getStatus()) {
                case OK -> {
                    if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                        runTasks();
                    }
                }
                case CLOSED ->
                    throw new LinkException("nothing more can be sent to " + peer() + ": "
                            + (finished ? "this side said it was finished" : "TLS has ended"));
                case BUFFER_OVERFLOW, BUFFER_UNDERFLOW ->
                    throw new IllegalStateException("a record has room: " + result);
            }
        }
    }

    private LinkException failure(SSLException e) {
        return new LinkException("the connection to " + peer() + " broke: " + e.getMessage(), e);
    }

    @Override
    public void finish() throws IOException {
        if (finished) {
            return;
        }
        finished = true;
        engine.closeOutbound();
        netOut.clear();
        while (!engine.isOutboundDone()) {
            SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), netOut);
            if (result.bytesProduced() == 0) {
                break;
            }
        }
        inner.write(netOut.flip());
        inner.finish();
    }

    @Override
    public String peer() {
        return inner.peer();
    }

    @Override
    public Optional<Fingerprint> peerFingerprint() {
        return Optional.of(peerFingerprint);
    }

    @Override
    public LinkFacts facts() {
        LinkFacts below = inner.facts();
        return new LinkFacts(Optional.of(cipher), below.congestion(), below.congestionChosen());
    }

    @Override
    public void close() {
        inner.close();
    }
}
