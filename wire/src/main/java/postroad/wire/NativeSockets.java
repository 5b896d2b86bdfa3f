package postroad.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;

/// Socket options of Linux that Java does not have, for a socket that is told by its two addresses.
///
/// The JDK keeps a channel's file number to itself. Instead of opening its internals, every socket of
/// this process is asked for its addresses: a connection is the only one with its pair, a listener the
/// only one with its address and no peer.
final class NativeSockets {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final int TCP_USER_TIMEOUT = 18;
    private static final int TCP_RTO_MAX_MS = 44;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int ADDRESS_SIZE = 128;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKNAME =
            function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle GETPEERNAME =
            function("getpeername", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private NativeSockets() {}

    private static MethodHandle function(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    /// Asks for a congestion control; false when the socket is not found or the system refuses.
    ///
    /// @throws IOException when the channel is closed
    static boolean setCongestion(NetworkChannel channel, String name) throws IOException {
        InetSocketAddress local = local(channel);
        Optional<InetSocketAddress> remote = remote(channel);
        try (Arena arena = Arena.ofConfined()) {
            int socket = find(arena, local, remote);
            MemorySegment value = arena.allocateFrom(JAVA_BYTE, name.getBytes(US_ASCII));
            return socket >= 0
                    && (int) SETSOCKOPT.invokeExact(socket, IPPROTO_TCP, TCP_CONGESTION, value, (int) value.byteSize())
                            == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("setsockopt cannot be called", e);
        }
    }

    /// Has an unanswered segment sent again at least every `longestWait` milliseconds (Linux from 6.15),
    /// and the connection given up no sooner than after `giveUp` milliseconds; false when the socket is
    /// not found or the system has no such option.
    ///
    /// @throws IOException when the channel is closed
    static boolean setPatience(NetworkChannel channel, int longestWait, int giveUp) throws IOException {
        InetSocketAddress local = local(channel);
        Optional<InetSocketAddress> remote = remote(channel);
        try (Arena arena = Arena.ofConfined()) {
            int socket = find(arena, local, remote);
            return socket >= 0
                    && set(arena, socket, TCP_RTO_MAX_MS, longestWait)
                    && set(arena, socket, TCP_USER_TIMEOUT, giveUp);
        } catch (Throwable e) {
            throw new IllegalStateException("setsockopt cannot be called", e);
        }
    }

    private static boolean set(Arena arena, int socket, int option, int number) throws Throwable {
        MemorySegment value = arena.allocateFrom(JAVA_INT, number);
        return (int) SETSOCKOPT.invokeExact(socket, IPPROTO_TCP, option, value, (int) value.byteSize()) == 0;
    }

    private static InetSocketAddress local(NetworkChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    private static Optional<InetSocketAddress> remote(NetworkChannel channel) throws IOException {
        return switch (channel) {
            case SocketChannel connected -> Optional.of((InetSocketAddress) connected.getRemoteAddress());
            case ServerSocketChannel _ -> Optional.empty();
            default -> throw new IllegalArgumentException("no TCP: " + channel);
        };
    }

    private static int find(Arena arena, InetSocketAddress local, Optional<InetSocketAddress> remote) throws Throwable {
        String[] open = new File("/proc/self/fd").list();
        MemorySegment address = arena.allocate(ADDRESS_SIZE, 8);
        MemorySegment length = arena.allocate(JAVA_INT);
        for (String number : open == null ? new String[0] : open) {
            int fd = Integer.parseInt(number);
            if (ask(GETSOCKNAME, fd, address, length).equals(Optional.of(local))
                    && ask(GETPEERNAME, fd, address, length).equals(remote)) {
                return fd;
            }
        }
        return -1;
    }

    /// An address of a socket; empty when there is none, or the file is no Internet socket.
    private static Optional<InetSocketAddress> ask(
            MethodHandle question, int fd, MemorySegment address, MemorySegment length) throws Throwable {
        length.set(JAVA_INT, 0, ADDRESS_SIZE);
        int result = (int) question.invokeExact(fd, address, length);
        return result == 0 ? read(address) : Optional.empty();
    }

    private static Optional<InetSocketAddress> read(MemorySegment address) throws UnknownHostException {
        int family = address.get(JAVA_BYTE, 0) & 0xff;
        int port = (address.get(JAVA_BYTE, 2) & 0xff) << 8 | address.get(JAVA_BYTE, 3) & 0xff;
        byte[] bytes = address.asSlice(0, 24).toArray(JAVA_BYTE);
        return switch (family) {
            case AF_INET -> Optional.of(socket(Arrays.copyOfRange(bytes, 4, 8), port));
            case AF_INET6 -> Optional.of(socket(Arrays.copyOfRange(bytes, 8, 24), port));
            default -> Optional.empty();
        };
    }

    /// An IPv4 address mapped into IPv6 becomes IPv4, as in the JDK's own answers.
    private static InetSocketAddress socket(byte[] address, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(address), port);
    }
}
