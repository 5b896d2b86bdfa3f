package postroad.wire;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Makes the key and the certificate of a new [Identity]; the only class that needs BouncyCastle, so
/// that a start with an identity loads none of it.
final class SelfSigned {
    private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");

    /// What RFC 5280 has for "no end".
    private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

    private SelfSigned() {}

    static PrivateKey newKey() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair().getPrivate();
    }

    /// The DER form of a certificate for the public half of `key`, signed by it.
    static byte[] certificate(ECPrivateKey key) throws IOException, GeneralSecurityException {
        X500Name name = new X500Name("CN=postroad");
        BigInteger serial = new BigInteger(127, new SecureRandom()).setBit(126);
        try {
            return new X509v3CertificateBuilder(name, serial, Date.from(BEGIN), Date.from(END), name, publicHalf(key))
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(key))
                    .getEncoded();
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e.getMessage(), e);
        }
    }

    private static SubjectPublicKeyInfo publicHalf(ECPrivateKey key) {
        X9ECParameters curve = CustomNamedCurves.getByOID(X9ObjectIdentifiers.prime256v1);
        byte[] point = curve.getG().multiply(key.getS()).getEncoded(false);
        return new SubjectPublicKeyInfo(
                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, X9ObjectIdentifiers.prime256v1), point);
    }
}
