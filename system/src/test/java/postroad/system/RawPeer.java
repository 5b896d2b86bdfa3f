package postroad.system;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Role;
import postroad.sync.core.SendWindow;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.core.Window;

/// One plain connection to a side of folder sync that says what it likes, and reads only when it
/// likes. Frames are written by the thread that made it; what comes is read by that thread or,
/// after [#listen], by one of its own.
final class RawPeer implements AutoCloseable {
    private static final int FEW_BYTES = 4096;
    private static final long PING_NANOS = 5_000_000;

    private final Socket socket;
    private final SendWindow entries = new SendWindow(Window.ENTRIES);
    private Optional<Frame.Stop> stop = Optional.empty();
    private boolean over;

    private RawPeer(Socket socket) {
        this.socket = socket;
    }

    /// One that connects.
    static RawPeer to(int port) throws IOException {
        Socket socket = new Socket();
        // What it does not read, the other side's system must keep.
        socket.setReceiveBufferSize(FEW_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawPeer(socket);
    }

    /// Where one listens that takes few bytes at a time.
    static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReceiveBufferSize(FEW_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listener;
    }

    /// The next one that connects.
    static RawPeer from(ServerSocket listener) throws IOException {
        return new RawPeer(listener.accept());
    }

    RawPeer hello(Role role, SessionId session, SessionOptions options) throws IOException {
        return say(new Frame.Hello(1, 1, session, role, 1, options.withParallel(1), "raw", new byte[0]));
    }

    RawPeer say(Frame frame) throws IOException {
        write(FrameCodec.encode(frame));
        return this;
    }

    private void write(byte[] frame) throws IOException {
        synchronized (socket) {
            socket.getOutputStream().write(frame);
        }
    }

    /// Says it if there is credit for it now.
    boolean trySay(Frame.Entries page) throws IOException {
        byte[] frame = FrameCodec.encode(page);
        synchronized (this) {
            if (!entries.tryTake(frame.length)) {
                return false;
            }
        }
        write(frame);
        return true;
    }

    /// Says it when there is credit; false when the other side ended it before.
    boolean awaitAndSay(Frame.Entries page) throws InterruptedException {
        byte[] frame = FrameCodec.encode(page);
        synchronized (this) {
            long until = System.nanoTime() + SyncSides.PATIENCE.toNanos();
            while (!over && !entries.tryTake(frame.length)) {
                wait(left(until, "room for more entries"));
            }
            if (over) {
                return false;
            }
        }
        try {
            write(frame);
            return true;
        } catch (IOException e) {
            // It had enough; what it said about that is being read.
            return false;
        }
    }

    /// Reads until such a frame comes, and gives it.
    <T extends Frame> T read(Class<T> interest) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int type = in.readUnsignedByte();
            byte[] payload = in.readNBytes(in.readInt());
            Frame frame = FrameCodec.decode(type, payload, 0, payload.length);
            if (interest.isInstance(frame)) {
                return interest.cast(frame);
            }
            take(frame, FrameCodec.HEADER + payload.length);
        }
    }

    private void take(Frame frame, int length) throws IOException {
        if (frame instanceof Frame.Stop last) {
            synchronized (this) {
                stop = Optional.of(last);
            }
        } else if (frame instanceof Frame.Credit(Window window, long bytes) && window == Window.ENTRIES) {
            synchronized (this) {
                entries.grant(bytes);
                notifyAll();
            }
        } else if (frame instanceof Frame.Ping(long number)) {
            say(new Frame.Pong(number));
        } else if (frame.countsAgainst().filter(Window.ANSWERS::equals).isPresent()) {
            say(new Frame.Credit(Window.ANSWERS, length));
        }
    }

    /// Has a thread of its own read all that comes, and give credit for it.
    void listen() {
        Thread.ofPlatform().daemon().name("raw-peer").start(() -> {
            try {
                read(Frame.Summary.class);
                say(new Frame.Bye());
                socket.shutdownOutput();
            } catch (IOException e) {
                // It is over.
            } finally {
                synchronized (this) {
                    over = true;
                    notifyAll();
                }
            }
        });
    }

    /// Waits until nothing more comes; gives the other side's last word.
    synchronized Optional<Frame.Stop> awaitEnd() throws InterruptedException {
        long until = System.nanoTime() + SyncSides.PATIENCE.toNanos();
        while (!over) {
            wait(left(until, "an end"));
        }
        return stop;
    }

    /// Reads nothing, and says that it is there again and again, until the other side closes.
    void pingUntilItCloses() {
        try {
            long until = System.nanoTime() + SyncSides.PATIENCE.toNanos();
            for (int number = 0; System.nanoTime() < until; number++) {
                say(new Frame.Ping(number));
                LockSupport.parkNanos(PING_NANOS);
            }
        } catch (IOException e) {
            // That is what is waited for.
            return;
        }
        throw new AssertionError("who is not read goes on for ever");
    }

    private static long left(long until, String what) {
        long millis = (until - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new AssertionError("there was never " + what);
        }
        return millis;
    }

    static Entry entry(String path, Kind kind) {
        return new Entry(TreePath.of(path), kind, kind == Kind.FILE ? 7 : 0, 1, 0, 0755, LinkTarget.NONE);
    }

    /// Ends it while the other side may still have something to say.
    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
