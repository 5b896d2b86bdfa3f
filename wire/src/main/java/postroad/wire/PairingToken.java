package postroad.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import postroad.common.Bytes32;
import postroad.common.Sha256;

/// One pasteable word that brings two sides together that do not know each other: whom to expect, and a
/// secret that is good once.
///
/// The side that listens makes and shows it. The side that dials checks the listener's certificate
/// against it and proves with the secret that it was given the word; the proof is bound to both
/// certificates, so nobody in between can use it.
///
/// The word is `pr1` and, in base 32 (letters a to z, digits 2 to 7), 52 bytes: the fingerprint of the
/// issuer's certificate (32), the secret (16), and the first 4 of the SHA-256 over `postroad pairing
/// word` and those 48, so that a typing mistake is told apart from a wrong secret. A proof is the
/// HMAC-SHA256, keyed with the secret, over `postroad pairing proof 1`, the fingerprint of the side that
/// dials and that of the issuer.
public final class PairingToken {
    /// Length of a proof in bytes.
    public static final int PROOF = 32;

    private static final String PREFIX = "pr1";
    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int SECRET = 16;
    private static final int CHECK = 4;
    private static final int BODY = Bytes32.LENGTH + SECRET;
    private static final int LETTERS = ((BODY + CHECK) * 8 + 4) / 5;
    private static final byte[] CHECK_DOMAIN = "postroad pairing word".getBytes(US_ASCII);
    private static final byte[] PROOF_DOMAIN = "postroad pairing proof 1".getBytes(US_ASCII);

    private final Fingerprint issuer;
    private final byte[] secret;

    private PairingToken(Fingerprint issuer, byte[] secret) {
        this.issuer = issuer;
        this.secret = secret;
    }

    /// A fresh token of the side that has this certificate.
    public static PairingToken issue(Fingerprint issuer) {
        byte[] secret = new byte[SECRET];
        new SecureRandom().nextBytes(secret);
        return new PairingToken(issuer, secret);
    }

    /// Reads the word, in either case.
    ///
    /// @throws IllegalArgumentException with a text for people when it is none or was mistyped
    public static PairingToken parse(String word) {
        String text = word.strip().toLowerCase(Locale.ROOT);
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("a pairing word begins with " + PREFIX);
        }
        String letters = text.substring(PREFIX.length());
        if (letters.length() != LETTERS) {
            throw new IllegalArgumentException("a pairing word has " + (PREFIX.length() + LETTERS)
                    + " letters and digits, this one has " + text.length() + "; was all of it copied?");
        }
        byte[] bytes = decode(letters);
        byte[] body = Arrays.copyOf(bytes, BODY);
        if (!Arrays.equals(check(body), Arrays.copyOfRange(bytes, BODY, BODY + CHECK))) {
            throw new IllegalArgumentException("the pairing word has a typing mistake; copy it once more");
        }
        return new PairingToken(new Fingerprint(Bytes32.of(body, 0)), Arrays.copyOfRange(body, Bytes32.LENGTH, BODY));
    }

    private static byte[] decode(String letters) {
        byte[] bytes = new byte[BODY + CHECK];
        long bits = 0;
        int held = 0;
        int at = 0;
        for (int i = 0; i < letters.length(); i++) {
            int value = DIGITS.indexOf(letters.charAt(i));
            if (value < 0) {
                throw new IllegalArgumentException("a pairing word has letters a to z and digits 2 to 7, not '"
                        + letters.charAt(i) + "'; copy it once more");
            }
            bits = (bits << 5 | value) & 0xfff;
            held += 5;
            if (held >= 8) {
                held -= 8;
                bytes[at++] = (byte) (bits >>> held);
            }
        }
        if ((bits & (1 << held) - 1) != 0) {
            throw new IllegalArgumentException("the pairing word has a typing mistake; copy it once more");
        }
        return bytes;
    }

    /// The word.
    public String text() {
        byte[] body = new byte[BODY];
        issuer.digest().copyTo(body, 0);
        System.arraycopy(secret, 0, body, Bytes32.LENGTH, SECRET);
        byte[] bytes = Arrays.copyOf(body, BODY + CHECK);
        System.arraycopy(check(body), 0, bytes, BODY, CHECK);
        return PREFIX + encode(bytes);
    }

    private static String encode(byte[] bytes) {
        StringBuilder letters = new StringBuilder(LETTERS);
        long bits = 0;
        int held = 0;
        for (byte b : bytes) {
            bits = (bits << 8 | b & 0xff) & 0xffff;
            held += 8;
            while (held >= 5) {
                held -= 5;
                letters.append(DIGITS.charAt((int) (bits >>> held) & 31));
            }
        }
        if (held > 0) {
            letters.append(DIGITS.charAt((int) (bits << 5 - held) & 31));
        }
        return letters.toString();
    }

    private static byte[] check(byte[] body) {
        byte[] all = Arrays.copyOf(CHECK_DOMAIN, CHECK_DOMAIN.length + BODY);
        System.arraycopy(body, 0, all, CHECK_DOMAIN.length, BODY);
        return Arrays.copyOf(Sha256.of(all), CHECK);
    }

    /// Whom the side that dials must find.
    public Fingerprint issuer() {
        return issuer;
    }

    /// What the side that dials, with this certificate, sends to show that it has the word.
    public byte[] proof(Fingerprint dialer) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(PROOF_DOMAIN);
            mac.update(dialer.digest().toArray());
            mac.update(issuer.digest().toArray());
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    /// Whether `proof` is what the side with the certificate `dialer` sends when it has the word. Takes
    /// the same time wherever a wrong proof differs.
    public boolean accepts(Fingerprint dialer, byte[] proof) {
        return MessageDigest.isEqual(proof(dialer), proof);
    }

    /// Tells no secret.
    @Override
    public String toString() {
        return "pairing token of " + issuer;
    }
}
