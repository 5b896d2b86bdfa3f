package postroad.wire;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// What both ends of a [TlsLink] agree on: TLS 1.3 and nothing else, P-256 certificates on both sides,
/// AES first.
///
/// TLS proves that the peer has the key of its certificate. Whose certificate is welcome is decided
/// above, from its fingerprint, so that a refused peer can be told why.
final class TlsSettings {
    /// The order of the curve P-256, which no other has.
    private static final String P256_ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

    private TlsSettings() {}

    static SSLContext context(Identity identity) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(new KeyManager[] {new Own(identity)}, new TrustManager[] {new AnyPeer()}, null);
        return context;
    }

    /// Engines get no host and port: without them the JDK never resumes a session, so each handshake
    /// proves both keys.
    static SSLEngine engine(Identity identity, boolean client) {
        SSLEngine engine = identity.tls().createSSLEngine();
        engine.setUseClientMode(client);
        SSLParameters parameters = new SSLParameters(
                new String[] {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"},
                new String[] {"TLSv1.3"});
        parameters.setNamedGroups(new String[] {"secp256r1", "x25519"});
        parameters.setSignatureSchemes(new String[] {"ecdsa_secp256r1_sha256"});
        parameters.setNeedClientAuth(true);
        engine.setSSLParameters(parameters);
        return engine;
    }

    static boolean isP256(ECParameterSpec curve) {
        return curve != null && curve.getOrder().toString(16).equals(P256_ORDER);
    }

    /// Shows the one certificate there is.
    private static final class Own extends X509ExtendedKeyManager {
        private static final String ALIAS = "own";

        private final Identity identity;

        Own(Identity identity) {
            this.identity = identity;
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return ALIAS;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {identity.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identity.key();
        }
    }

    /// Takes every certificate whose key is of the allowed kind.
    private static final class AnyPeer extends X509ExtendedTrustManager {
        private static void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length == 0 || !(chain[0].getPublicKey() instanceof ECPublicKey key && isP256(key.getParams()))) {
                throw new CertificateException("the peer's certificate has no P-256 key");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
