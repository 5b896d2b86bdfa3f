/// Bytes, hex, hashes, keys and signatures: what every other module builds on. `lmdb` below it binds LMDB.
///
/// Public: [Bytes32], [Hex], [Sha256], [Schnorr], [SecretKey], [NativeLibrary]. Nothing here knows Nostr or folders.
package postroad.common;
