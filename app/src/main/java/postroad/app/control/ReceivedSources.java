package postroad.app.control;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import postroad.app.transfer.Source;
import postroad.app.transfer.Sources;

/// What a client sends to be imported, as sources. Owned by the importing node's reading thread.
final class ReceivedSources implements Sources {
    private final DataInputStream in;
    private Frame next;

    ReceivedSources(DataInputStream in) {
        this.in = in;
    }

    @Override
    public Optional<Source> next() throws IOException {
        if (next == null) {
            next = Frame.read(in);
        }
        return switch (next.type()) {
            case Frame.SOURCE -> {
                String name = next.text();
                next = null;
                yield Optional.of(new Source(name, new Lines()));
            }
            case Frame.END -> Optional.empty();
            default -> throw new ControlException("a source was expected, not a frame of type " + next.type());
        };
    }

    /// The bytes up to the next frame that is no data.
    private final class Lines extends InputStream {
        private byte[] bytes = {};
        private int at;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            while (at == bytes.length) {
                if (next == null) {
                    next = Frame.read(in);
                }
                if (next.type() != Frame.DATA) {
                    return -1;
                }
                bytes = next.payload();
                at = 0;
                next = null;
            }
            int count = Math.min(length, bytes.length - at);
            System.arraycopy(bytes, at, target, from, count);
            at += count;
            return count;
        }

        @Override
        public int available() throws IOException {
            return bytes.length - at > 0 ? bytes.length - at : in.available();
        }
    }
}
