package postroad.wire;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// Opens a TCP connection to whichever address of a host answers first.
///
/// Addresses of both families take turns, IPv6 first. The next attempt starts a quarter of a second
/// after the one before it, or at once when that one failed, so that a family that leads nowhere costs
/// little.
final class Dialer {
    private static final long STAGGER_MILLIS = 250;

    private final String authority;
    private final int port;
    private final Duration timeout;
    private final boolean noDelay;
    private final Sockets sockets;
    private final long deadline;

    private Dialer(String authority, int port, Duration timeout, boolean noDelay, Sockets sockets) {
        this.authority = authority;
        this.port = port;
        this.timeout = timeout;
        this.noDelay = noDelay;
        this.sockets = sockets;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    static Socket dial(WebSocketUrl url, WebSocketOptions options) throws IOException {
        List<InetAddress> addresses = addresses(url.host());
        return new Dialer(url.authority(), url.port(), options.connectTimeout(), options.noDelay(), Socket::new)
                .first(addresses);
    }

    /// A channel in blocking mode, with its socket's small writes sent at once.
    static SocketChannel dial(String host, int port, Duration timeout) throws IOException {
        List<InetAddress> addresses = addresses(host);
        return new Dialer(
                        authority(host, port),
                        port,
                        timeout,
                        true,
                        () -> SocketChannel.open().socket())
                .first(addresses)
                .getChannel();
    }

    static String authority(String host, int port) {
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    private Socket first(List<InetAddress> addresses) throws IOException {
        return addresses.size() == 1 ? alone(addresses.getFirst()) : race(addresses);
    }

    private static List<InetAddress> addresses(String host) throws IOException {
        try {
            return interleave(Arrays.asList(InetAddress.getAllByName(host)));
        } catch (UnknownHostException e) {
            throw new LinkException("cannot find the host " + host + ": the name does not resolve", e);
        }
    }

    static List<InetAddress> interleave(List<InetAddress> addresses) {
        List<InetAddress> six =
                addresses.stream().filter(Inet6Address.class::isInstance).toList();
        List<InetAddress> four =
                addresses.stream().filter(a -> !(a instanceof Inet6Address)).toList();
        List<InetAddress> mixed = new ArrayList<>();
        for (int i = 0; i < Math.max(six.size(), four.size()); i++) {
            if (i < six.size()) {
                mixed.add(six.get(i));
            }
            if (i < four.size()) {
                mixed.add(four.get(i));
            }
        }
        return mixed;
    }

    private Socket alone(InetAddress address) throws IOException {
        try {
            return connect(address);
        } catch (IOException e) {
            throw failure(List.of(new Attempt(address, null, e)));
        }
    }

    private Socket race(List<InetAddress> addresses) throws IOException {
        BlockingQueue<Attempt> ended = new ArrayBlockingQueue<>(addresses.size());
        List<Attempt> failed = new ArrayList<>();
        int started = 0;
        while (failed.size() < addresses.size()) {
            if (started < addresses.size()) {
                InetAddress address = addresses.get(started++);
                Thread.ofVirtual().name("dial-" + address.getHostAddress()).start(() -> ended.add(attempt(address)));
            }
            boolean last = started == addresses.size();
            Attempt attempt = await(ended, last ? remainingMillis() : STAGGER_MILLIS, started - failed.size());
            if (attempt == null && last && remainingMillis() <= 0) {
                break;
            }
            if (attempt != null && attempt.socket() != null) {
                closeLosers(ended, started - failed.size() - 1);
                return attempt.socket();
            }
            if (attempt != null) {
                failed.add(attempt);
            }
        }
        closeLosers(ended, started - failed.size());
        throw failure(failed);
    }

    private Attempt await(BlockingQueue<Attempt> ended, long millis, int open) throws IOException {
        try {
            return ended.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closeLosers(ended, open);
            Thread.currentThread().interrupt();
            throw new LinkException("interrupted while connecting to " + authority, e);
        }
    }

    /// Closes the sockets of attempts that come in too late.
    private static void closeLosers(BlockingQueue<Attempt> ended, int open) {
        if (open <= 0) {
            return;
        }
        Thread.ofVirtual().name("dial-losers").start(() -> {
            try {
                for (int i = 0; i < open; i++) {
                    closeQuietly(ended.take().socket());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void closeQuietly(Socket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            // A connection that nobody wants any more; there is nothing to tell.
            return;
        }
    }

    private Attempt attempt(InetAddress address) {
        try {
            return new Attempt(address, connect(address), null);
        } catch (IOException e) {
            return new Attempt(address, null, e);
        } catch (RuntimeException | Error e) {
            // Whatever it is: the race waits for this attempt's end.
            return new Attempt(address, null, new IOException(e.toString(), e));
        }
    }

    private Socket connect(InetAddress address) throws IOException {
        Socket socket = sockets.open();
        try {
            socket.setTcpNoDelay(noDelay);
            socket.connect(new InetSocketAddress(address, port), (int) Math.max(1, remainingMillis()));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private long remainingMillis() {
        return Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }

    private LinkException failure(List<Attempt> failed) {
        if (failed.isEmpty()) {
            return new LinkException(noAnswer());
        }
        Attempt first = failed.getFirst();
        String where =
                failed.size() == 1 && !authority.startsWith(first.address().getHostAddress())
                        ? " (" + first.address().getHostAddress() + ")"
                        : "";
        StringBuilder text = new StringBuilder(reason(first.failure())).append(where);
        failed.stream()
                .skip(1)
                .map(attempt -> reason(attempt.failure()))
                .filter(reason -> !reason.equals(reason(first.failure())))
                .distinct()
                .forEach(reason -> text.append("; ").append(reason));
        return new LinkException(text.toString(), first.failure());
    }

    private String reason(IOException failure) {
        return switch (failure) {
            case SocketTimeoutException e -> noAnswer();
            case NoRouteToHostException e -> "cannot connect to " + authority + ": there is no route to the host";
            case ConnectException e
            when isRefusal(e) -> "cannot connect to " + authority + ": connection refused, nothing listens there";
            default -> "cannot connect to " + authority + ": " + failure.getMessage();
        };
    }

    private static boolean isRefusal(ConnectException e) {
        return e.getMessage() != null && e.getMessage().contains("refused");
    }

    private String noAnswer() {
        return "cannot connect to " + authority + ": no answer within " + seconds(timeout);
    }

    static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /// Makes the socket of an attempt, of the kind that the caller works with.
    @FunctionalInterface
    private interface Sockets {
        Socket open() throws IOException;
    }

    /// One attempt's end: a socket, or why there is none.
    private record Attempt(InetAddress address, Socket socket, IOException failure) {}
}
