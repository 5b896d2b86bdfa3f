package postroad.app.transfer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Takes lines, and gives them back last first. They are held in a temporary file that has no name any more, so that it
/// is gone however the process ends.
public final class ReversedLines extends OutputStream {
    private static final int BLOCK = 1 << 20;

    private final Path folder;
    private final FileChannel file;
    private final OutputStream out;
    private final int block;

    private ReversedLines(Path folder, FileChannel file, int block) {
        this.folder = folder;
        this.file = file;
        this.out = new BufferedOutputStream(Channels.newOutputStream(file), 256 << 10);
        this.block = block;
    }

    /// Holds them in `folder`.
    public static ReversedLines in(Path folder) throws IOException {
        return in(folder, BLOCK);
    }

    static ReversedLines in(Path folder, int block) throws IOException {
        Path name = begin(folder);
        try {
            return new ReversedLines(
                    folder,
                    FileChannel.open(
                            name,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE),
                    block);
        } finally {
            Files.deleteIfExists(name);
        }
    }

    private static Path begin(Path folder) throws IOException {
        try {
            return Files.createTempFile(folder, ".postroad-reverse-", ".jsonl");
        } catch (AccessDeniedException e) {
            throw new IOException("cannot hold the lines to be reversed in " + folder + ": permission denied", e);
        } catch (IOException e) {
            throw new IOException(
                    "cannot hold the lines to be reversed in " + folder + ": nothing can be made there", e);
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            throw full(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw full(e);
        }
    }

    private IOException full(IOException e) {
        return new IOException("cannot hold the lines to be reversed in " + folder + ": " + e.getMessage(), e);
    }

    /// Writes the lines taken so far, each of which ends with a line feed, last first.
    public void writeTo(OutputStream target) throws IOException {
        flush();
        // What lies from here on is written; it is always the beginning of a line, or the end.
        long end = file.size();
        byte[] bytes = new byte[block];
        while (end > 0) {
            int length = (int) Math.min(end, bytes.length);
            read(bytes, end - length, length);
            int rest = writeWhole(bytes, length, target);
            if (length == end) {
                target.write(bytes, 0, rest);
                return;
            }
            if (rest == length) {
                // One line is longer than all that was read.
                bytes = new byte[Math.multiplyExact(bytes.length, 2)];
            }
            end -= length - rest;
        }
    }

    /// Writes the lines that begin after a line feed in these bytes; returns the length of what lies before them.
    private static int writeWhole(byte[] bytes, int length, OutputStream target) throws IOException {
        int end = length;
        for (int at = length - 2; at >= 0; at--) {
            if (bytes[at] == '\n') {
                target.write(bytes, at + 1, end - at - 1);
                end = at + 1;
            }
        }
        return end;
    }

    private void read(byte[] bytes, long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, from + buffer.position()) < 0) {
                throw new IOException("the temporary file in " + folder + " has become shorter");
            }
        }
    }

    /// Lets go of the lines.
    @Override
    public void close() throws IOException {
        file.close();
    }
}
