package postroad.app.transfer;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import postroad.common.NativeLibrary;

/// Unpacks by the first bytes and packs by the name's ending: gzip (`.gz`) and Zstandard (`.zst`), else plain.
public final class Compression {
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

    private Compression() {}

    /// The plain bytes of what `in` holds.
    public static InputStream unpack(InputStream in) throws IOException {
        PushbackInputStream peekable = new PushbackInputStream(in, ZSTD.length);
        byte[] begin = peekable.readNBytes(ZSTD.length);
        peekable.unread(begin);
        if (startsWith(begin, GZIP)) {
            return new GZIPInputStream(peekable, 64 << 10);
        }
        if (startsWith(begin, ZSTD)) {
            return unpackZstd(peekable);
        }
        return peekable;
    }

    /// A stream that packs as the name asks for; closing it closes `out`.
    public static OutputStream pack(String name, OutputStream out) throws IOException {
        if (name.endsWith(".gz")) {
            return new GZIPOutputStream(out, 64 << 10);
        }
        return name.endsWith(".zst") ? packZstd(out) : out;
    }

    private static InputStream unpackZstd(InputStream in) throws IOException {
        try {
            return Zstd.unpack(in);
        } catch (LinkageError e) {
            throw missing("unpack the file with zstd -dc and import what that writes", e);
        }
    }

    private static OutputStream packZstd(OutputStream out) throws IOException {
        try {
            return Zstd.pack(out);
        } catch (LinkageError e) {
            throw missing("export without .zst, or to .gz", e);
        }
    }

    private static boolean startsWith(byte[] bytes, byte[] magic) {
        return bytes.length >= magic.length && java.util.Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
    }

    /// The library's classes may lack, its native part may not be for this machine, or may not be allowed to load from
    /// the folder for temporary files: all are errors of linking.
    private static IOException missing(String remedy, LinkageError e) {
        return new IOException(
                "the native library zstd does not load for " + NativeLibrary.platform() + ": " + remedy
                        + ". Tried: the one that comes along (zstd-jni), unpacked to "
                        + System.getProperty("java.io.tmpdir") + ": " + e,
                e);
    }

    /// Apart, so that the native library is loaded only for Zstandard files.
    private static final class Zstd {
        static InputStream unpack(InputStream in) throws IOException {
            return new ZstdInputStream(in);
        }

        static OutputStream pack(OutputStream out) throws IOException {
            return new ZstdOutputStream(out, 3);
        }
    }
}
