package postroad.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/// A way over the loopback to one port that can break: it may be cut, so that both sides notice,
/// be gone for a while, or fall silent with all its connections open, as a link does whose cable
/// is pulled. Each of these happens by itself when so many bytes have gone to the port.
/// Thread-safe.
final class WeakLink implements AutoCloseable {
    private static final int BACKLOG = 50;

    /// What becomes of the link.
    enum Fate {
        /// All connections are closed; new ones are taken.
        CUT,
        /// All connections are closed, and nothing listens any more.
        GONE,
        /// What both sides write is taken from nobody and given to nobody, on new connections too.
        SILENT
    }

    private final int port;
    private final InetSocketAddress address;
    private final List<Socket> open = new ArrayList<>();
    private ServerSocket listener;
    private Fate fate = Fate.CUT;
    private long left = Long.MAX_VALUE;
    private boolean silent;
    private boolean closed;
    private int taken;
    /// Connections up to this one stay silent for good.
    private int dead;

    private WeakLink(int port) throws IOException {
        this.port = port;
        listen(0);
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    /// One to a port of the loopback.
    static WeakLink to(int port) throws IOException {
        return new WeakLink(port);
    }

    /// Where it begins.
    String address() {
        return "127.0.0.1:" + address.getPort();
    }

    /// Breaks when so many more bytes have gone to the port.
    synchronized WeakLink breakAfter(long bytes, Fate how) {
        left = bytes;
        fate = how;
        return this;
    }

    /// Whether it broke.
    synchronized boolean isBroken() {
        return left <= 0;
    }

    /// How many connections it took.
    synchronized int taken() {
        return taken;
    }

    /// Goes on with all that is open.
    synchronized void passAgain() {
        left = Long.MAX_VALUE;
        silent = false;
        notifyAll();
    }

    /// Goes on for connections that come from here on; those that are open stay as they are.
    synchronized void passNewOnes() {
        dead = taken;
        passAgain();
    }

    /// Listens again.
    synchronized void comeBack() throws IOException {
        left = Long.MAX_VALUE;
        listen(address.getPort());
    }

    private synchronized void listen(int at) throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), BACKLOG);
        ServerSocket taking = listener;
        Thread.ofPlatform().daemon().name("weak-link").start(() -> take(taking));
    }

    private void take(ServerSocket from) {
        try {
            while (true) {
                connect(from.accept());
            }
        } catch (IOException e) {
            // It is gone.
        }
    }

    private void connect(Socket near) throws IOException {
        Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
        int number;
        synchronized (this) {
            number = ++taken;
            open.add(near);
            open.add(far);
        }
        Thread.ofPlatform().daemon().name("weak-link-to").start(() -> carry(number, near, far, true));
        Thread.ofPlatform().daemon().name("weak-link-from").start(() -> carry(number, far, near, false));
    }

    private void carry(int number, Socket from, Socket to, boolean counts) {
        byte[] buffer = new byte[16 << 10];
        try {
            awaitPass(number);
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (counts) {
                    count(read);
                }
                awaitPass(number);
                to.getOutputStream().write(buffer, 0, read);
                awaitPass(number);
            }
            awaitPass(number);
            to.shutdownOutput();
        } catch (IOException e) {
            closeBoth(from, to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitPass(int number) throws InterruptedException, SocketException {
        while (!closed && (silent || number <= dead)) {
            wait();
        }
        if (closed) {
            throw new SocketException("over");
        }
    }

    private synchronized void count(int bytes) throws IOException {
        boolean before = left > 0;
        left -= bytes;
        if (before && left <= 0) {
            switch (fate) {
                case CUT -> closeAll();
                case GONE -> {
                    listener.close();
                    closeAll();
                }
                case SILENT -> silent = true;
            }
        }
    }

    private synchronized void closeAll() {
        open.forEach(WeakLink::close);
        open.clear();
    }

    private static void closeBoth(Socket one, Socket other) {
        close(one);
        close(other);
    }

    private static void close(Socket each) {
        try {
            each.close();
        } catch (IOException e) {
            // It is as good as closed.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        listener.close();
        closeAll();
        notifyAll();
    }
}
