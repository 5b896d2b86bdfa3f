package postroad.common;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/// BIP-340 signatures over secp256k1, by libsecp256k1. Any thread may call.
///
/// Each thread keeps its own scratch memory and a small cache of parsed public keys: parsing one costs a square root,
/// about a tenth of a verification, and a relay sees the same authors again and again.
public final class Schnorr {
    /// Length of a signature in bytes.
    public static final int SIGNATURE_LENGTH = 64;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    private Schnorr() {}

    /// Whether `signature` (64 bytes) is the key's signature of the 32-byte `message`.
    ///
    /// False as well when `publicKey` is not the x coordinate of a point.
    public static boolean verify(byte[] signature, Bytes32 message, Bytes32 publicKey) {
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        return SCRATCH.get().verify(signature, message, publicKey);
    }

    /// Signs the 32-byte `message`; `auxiliaryRandom` is BIP-340's `a`, zero for a deterministic signature.
    ///
    /// @return 64 bytes
    public static byte[] sign(Bytes32 message, SecretKey key, Bytes32 auxiliaryRandom) {
        return SCRATCH.get().sign(message, key, auxiliaryRandom);
    }

    /// The x-only public key of `key`.
    public static Bytes32 publicKey(SecretKey key) {
        return SCRATCH.get().publicKey(key);
    }

    /// A key made ready to sign many messages: a signature then costs half. Any thread may use it.
    public static final class KeyPair {
        private final MemorySegment pair = Arena.ofAuto().allocate(Scratch.PAIR_LENGTH, 16);
        private final Bytes32 publicKey;

        /// Makes `key` ready.
        public KeyPair(SecretKey key) {
            SCRATCH.get().createPair(key, pair);
            publicKey = Schnorr.publicKey(key);
        }

        /// The x-only public key.
        public Bytes32 publicKey() {
            return publicKey;
        }

        /// Signs as [Schnorr#sign] does.
        public byte[] sign(Bytes32 message, Bytes32 auxiliaryRandom) {
            return SCRATCH.get().sign(message, pair, auxiliaryRandom);
        }
    }

    /// Loads the library now, so that a machine without it says so at start and not at the first event.
    ///
    /// @throws NativeLibrary.NativeLibraryMissing when it is not there for this machine
    public static void load() {
        SCRATCH.get();
    }

    /// The functions used, bound once, and the library's context, which is constant after creation.
    private static final class Library {
        static final MethodHandle PARSE;
        static final MethodHandle VERIFY;
        static final MethodHandle KEYPAIR;
        static final MethodHandle SIGN;
        static final MethodHandle KEYPAIR_PUBLIC;
        static final MethodHandle SERIALIZE;
        static final MemorySegment CONTEXT;

        static {
            NativeLibrary library = NativeLibrary.load(
                    "secp256k1",
                    List.of("/fr/acinq/secp256k1/jni/native/" + NativeLibrary.platform() + "/libsecp256k1-jni.so"),
                    List.of(
                            "libsecp256k1.so.6",
                            "libsecp256k1.so.5",
                            "libsecp256k1.so.2",
                            "libsecp256k1.so.1",
                            "libsecp256k1.dylib",
                            "/opt/homebrew/lib/libsecp256k1.dylib"));
            PARSE = library.function(
                    "secp256k1_xonly_pubkey_parse", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
            VERIFY = library.function(
                    "secp256k1_schnorrsig_verify",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
            KEYPAIR = library.function(
                    "secp256k1_keypair_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
            SIGN = library.function(
                    "secp256k1_schnorrsig_sign32",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
            KEYPAIR_PUBLIC = library.function(
                    "secp256k1_keypair_xonly_pub", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
            SERIALIZE = library.function(
                    "secp256k1_xonly_pubkey_serialize", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
            MethodHandle create =
                    library.function("secp256k1_context_create", FunctionDescriptor.of(ADDRESS, JAVA_INT));
            try {
                CONTEXT = (MemorySegment) create.invokeExact(1);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// One thread's native memory, in bytes:
    ///
    /// | offset | length | content |
    /// |---|---|---|
    /// | 0 | 64 | signature |
    /// | 64 | 32 | message |
    /// | 96 | 32 | key: public, or secret while signing |
    /// | 128 | 32 | auxiliary random |
    /// | 160 | 96 | key pair |
    /// | 256 | 64 | parsed public key |
    /// | 320 | 4 | parity |
    /// | 384 | 64 × [#CACHED] | cache of parsed public keys |
    private static final class Scratch {
        private static final int CACHED = 1024;
        private static final int CACHE = 384;
        private static final int PAIR_LENGTH = 96;

        private final MemorySegment memory = Arena.ofAuto().allocate(CACHE + 64L * CACHED, 64);
        private final MemorySegment signature = memory.asSlice(0, 64);
        private final MemorySegment message = memory.asSlice(64, 32);
        private final MemorySegment key = memory.asSlice(96, 32);
        private final MemorySegment random = memory.asSlice(128, 32);
        private final MemorySegment pair = memory.asSlice(160, PAIR_LENGTH);
        private final MemorySegment parsed = memory.asSlice(256, 64);
        private final MemorySegment parity = memory.asSlice(320, 4);
        private final Bytes32[] cachedKeys = new Bytes32[CACHED];
        private final MemorySegment context = Library.CONTEXT;

        boolean verify(byte[] sig, Bytes32 msg, Bytes32 publicKey) {
            MemorySegment point = point(publicKey);
            if (point.equals(MemorySegment.NULL)) {
                return false;
            }
            MemorySegment.copy(sig, 0, signature, JAVA_BYTE, 0, SIGNATURE_LENGTH);
            put(msg, message);
            try {
                return (int) Library.VERIFY.invokeExact(context, signature, message, (long) Bytes32.LENGTH, point) == 1;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        byte[] sign(Bytes32 msg, SecretKey secret, Bytes32 auxiliaryRandom) {
            createPair(secret, pair);
            try {
                return sign(msg, pair, auxiliaryRandom);
            } finally {
                pair.fill((byte) 0);
            }
        }

        byte[] sign(Bytes32 msg, MemorySegment keyPair, Bytes32 auxiliaryRandom) {
            put(msg, message);
            put(auxiliaryRandom, random);
            try {
                if ((int) Library.SIGN.invokeExact(context, signature, message, keyPair, random) != 1) {
                    throw new IllegalStateException("libsecp256k1 could not sign");
                }
                return signature.toArray(JAVA_BYTE);
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        Bytes32 publicKey(SecretKey secret) {
            createPair(secret, pair);
            try {
                boolean done = (int) Library.KEYPAIR_PUBLIC.invokeExact(context, parsed, parity, pair) == 1
                        && (int) Library.SERIALIZE.invokeExact(context, key, parsed) == 1;
                if (!done) {
                    throw new IllegalStateException("libsecp256k1 could not derive a public key");
                }
                return Bytes32.of(key.toArray(JAVA_BYTE));
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            } finally {
                pair.fill((byte) 0);
            }
        }

        void createPair(SecretKey secret, MemorySegment target) {
            put(secret.bytes(), key);
            try {
                if ((int) Library.KEYPAIR.invokeExact(context, target, key) != 1) {
                    throw new IllegalStateException("libsecp256k1 refused a secret key");
                }
            } catch (RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            } finally {
                key.fill((byte) 0);
            }
        }

        /// The parsed point, or NULL when the key is none; a direct-mapped cache, so that it cannot grow.
        private MemorySegment point(Bytes32 publicKey) {
            int slot = publicKey.hashCode() & (CACHED - 1);
            MemorySegment place = memory.asSlice(CACHE + 64L * slot, 64);
            if (publicKey.equals(cachedKeys[slot])) {
                return place;
            }
            put(publicKey, key);
            cachedKeys[slot] = null;
            try {
                if ((int) Library.PARSE.invokeExact(context, place, key) != 1) {
                    return MemorySegment.NULL;
                }
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
            cachedKeys[slot] = publicKey;
            return place;
        }

        private static void put(Bytes32 value, MemorySegment target) {
            MemorySegment.copy(value.toArray(), 0, target, JAVA_BYTE, 0, Bytes32.LENGTH);
        }
    }
}
