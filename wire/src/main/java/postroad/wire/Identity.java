package postroad.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import javax.net.ssl.SSLContext;

/// Who this side is: a P-256 key and its self-signed certificate.
///
/// They lie as raw DER in two files of the state folder: `identity.key` (PKCS#8, readable by the owner alone) and
/// `identity.crt`. Nothing in the certificate matters but its key; peers know it by its [Fingerprint].
public final class Identity {
    private static final String KEY = "identity.key";
    private static final String CERTIFICATE = "identity.crt";
    private static final int LARGEST = 16 << 10;

    private final PrivateKey key;
    private final X509Certificate certificate;
    private final Fingerprint fingerprint;
    private final SSLContext tls;

    private Identity(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        this.key = key;
        this.certificate = certificate;
        this.fingerprint = Fingerprint.ofCertificate(certificate.getEncoded());
        this.tls = TlsSettings.context(this);
    }

    /// Reads the identity in `folder`, and makes it (the folder too) where there is none. Of several
    /// processes that start at once one makes it and all have the same.
    ///
    /// @throws IOException with a text for people when a file is unreadable, broken or alone
    public static Identity loadOrCreate(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(CERTIFICATE))) {
            StateFiles.makeFolder(folder);
            StateFiles.locked(folder.resolve("identity.lock"), () -> create(folder));
        }
        return load(folder);
    }

    /// The key first: a crash between the two leaves a key without a certificate, and the next start makes that.
    private static void create(Path folder) throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        if (Files.exists(certificate)) {
            return;
        }
        Path key = folder.resolve(KEY);
        try {
            if (!Files.exists(key)) {
                StateFiles.write(key, SelfSigned.newKey().getEncoded());
            }
            StateFiles.write(certificate, SelfSigned.certificate(readKey(key)));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot make an identity in " + folder + ": " + e.getMessage(), e);
        }
    }

    private static Identity load(Path folder) throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        ECPrivateKey key = readKey(folder.resolve(KEY));
        try {
            return new Identity(key, readCertificate(certificate));
        } catch (GeneralSecurityException e) {
            throw broken(certificate, e);
        }
    }

    private static ECPrivateKey readKey(Path path) throws IOException {
        byte[] der;
        try {
            der = StateFiles.read(path, LARGEST);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    path + " is missing though its certificate is there; bring it back, or remove " + CERTIFICATE
                            + " to begin as somebody new (peers must then trust the new fingerprint)",
                    e);
        }
        try {
            ECPrivateKey key =
                    (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
            if (!TlsSettings.isP256(key.getParams())) {
                throw new GeneralSecurityException("not on the curve P-256");
            }
            StateFiles.restrict(path);
            return key;
        } catch (GeneralSecurityException e) {
            throw broken(path, e);
        }
    }

    private static X509Certificate readCertificate(Path path) throws IOException, GeneralSecurityException {
        byte[] der = StateFiles.read(path, LARGEST);
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new java.io.ByteArrayInputStream(der));
        if (!(certificate.getPublicKey() instanceof ECPublicKey key && TlsSettings.isP256(key.getParams()))) {
            throw new GeneralSecurityException("its key is not on the curve P-256");
        }
        return certificate;
    }

    private static IOException broken(Path path, GeneralSecurityException e) {
        return new IOException(
                path + " is broken (" + e.getMessage() + "); bring it back, or remove " + KEY + " and " + CERTIFICATE
                        + " to begin as somebody new (peers must then trust the new fingerprint)",
                e);
    }

    /// What peers know this side by.
    public Fingerprint fingerprint() {
        return fingerprint;
    }

    PrivateKey key() {
        return key;
    }

    X509Certificate certificate() {
        return certificate;
    }

    SSLContext tls() {
        return tls;
    }
}
