package postroad.nostr.relay;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.System.Logger.Level;

/// How sockets are waited for: epoll where the system has it, else the JDK's selector.
record Transport(String name, IoHandlerFactory io, Class<? extends ServerChannel> server) {
    private static final System.Logger LOG = System.getLogger(Transport.class.getName());

    /// The best there is; says so when it is not epoll.
    static Transport choose() {
        if (Epoll.isAvailable()) {
            return new Transport("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
        }
        LOG.log(
                Level.WARNING,
                "epoll is missing here ({0}): the relay runs on the JDK''s selector, somewhat slower",
                Epoll.unavailabilityCause().getMessage());
        return selector();
    }

    /// The JDK's selector, which is there on every system.
    static Transport selector() {
        return new Transport("selector", NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    /// Event loops, each with a platform thread.
    EventLoopGroup loops(int count) {
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("relay-loop", true), io);
    }
}
