package postroad.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import postroad.common.Bytes32;
import postroad.common.SecretKey;

/// A file with one secret key: 64 hex digits, or `nsec1…` as other programs keep it (NIP-19).
final class KeyFile {
    private static final int MAX_BYTES = 1024;

    private KeyFile() {}

    static SecretKey read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new Failure(file + ": not a key file: more than " + MAX_BYTES + " bytes");
        }
        String text = Files.readString(file, US_ASCII).strip();
        try {
            return SecretKey.of(text.startsWith("nsec1") ? Bech32.decode("nsec", text) : Bytes32.ofHex(text));
        } catch (IllegalArgumentException e) {
            // The message must not repeat what may be a mistyped key.
            throw new Failure(file + ": not a key file: it must hold 64 hex digits or nsec1…, and a key of secp256k1");
        }
    }

    /// Warns of a file that others can read.
    static SecretKey read(Path file, Console console) throws IOException {
        SecretKey key = read(file);
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (mode.contains(PosixFilePermission.GROUP_READ) || mode.contains(PosixFilePermission.OTHERS_READ)) {
                console.say("warning: others can read " + file + "; chmod 600 it");
            }
        } catch (UnsupportedOperationException e) {
            return key;
        }
        return key;
    }

    /// Makes a file with a fresh key, readable by the owner only.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the file is there
    /// @throws Failure if its folder is not
    static SecretKey create(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new Failure(file + ": cannot be made: there is no folder " + folder);
        }
        SecretKey key = SecretKey.random();
        FileAttribute<?> owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), owner)) {
            channel.write(ByteBuffer.wrap((key.bytes().hex() + "\n").getBytes(US_ASCII)));
            channel.force(true);
        }
        return key;
    }
}
