package postroad.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Vectors are BIP-340's own (`test-vectors.csv`, indexes 0, 1, 5 and 6).
class SchnorrTest {
    private static final Bytes32 ZERO = new Bytes32(0, 0, 0, 0);

    @Test
    void signsAsTheFirstVectorSays() {
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));

        byte[] signature = Schnorr.sign(ZERO, key, ZERO);

        assertThat(Schnorr.publicKey(key).hex())
                .isEqualTo("f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9");
        assertThat(Hex.encode(signature))
                .isEqualTo("e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215"
                        + "25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0");
    }

    @Test
    void aKeyPairSignsAsItsKeyDoes() {
        SecretKey key = SecretKey.of(new Bytes32(0, 0, 0, 3));
        Schnorr.KeyPair pair = new Schnorr.KeyPair(key);

        Schnorr.sign(ZERO, SecretKey.random(), ZERO);

        assertThat(pair.publicKey()).isEqualTo(Schnorr.publicKey(key));
        assertThat(pair.sign(ZERO, ZERO)).isEqualTo(Schnorr.sign(ZERO, key, ZERO));
    }

    @Test
    void verifiesItsOwnSignatureAndNoOther() {
        SecretKey key = SecretKey.random();
        Bytes32 message = Bytes32.of(Sha256.of(new byte[] {1, 2, 3}));
        byte[] signature = Schnorr.sign(message, key, ZERO);

        byte[] changed = signature.clone();
        changed[40] ^= 1;

        assertThat(Schnorr.verify(signature, message, Schnorr.publicKey(key))).isTrue();
        assertThat(Schnorr.verify(changed, message, Schnorr.publicKey(key))).isFalse();
        assertThat(Schnorr.verify(signature, ZERO, Schnorr.publicKey(key))).isFalse();
        assertThat(Schnorr.verify(signature, message, Schnorr.publicKey(SecretKey.random())))
                .isFalse();
    }

    @Test
    void refusesAKeyThatIsNotOnTheCurve() {
        Bytes32 notAPoint = Bytes32.ofHex("eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34");
        byte[] signature = Hex.decode("6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769"
                + "69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b");
        Bytes32 message = Bytes32.ofHex("243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89");

        assertThat(Schnorr.verify(signature, message, notAPoint)).isFalse();
        assertThat(Schnorr.verify(signature, message, notAPoint)).isFalse();
    }
}
