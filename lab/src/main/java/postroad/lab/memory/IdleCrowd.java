package postroad.lab.memory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.lab.fuzz.RawConnection;

/// Many connections that each hold one subscription and say nothing more, spread over source addresses of
/// the loopback.
public final class IdleCrowd implements AutoCloseable {
    private static final int PER_ADDRESS = 150;
    private static final int SMALL_BUFFER = 4_096;

    private final List<RawConnection> connections = new ArrayList<>();

    private IdleCrowd() {}

    /// Nobody yet.
    public static IdleCrowd empty() {
        return new IdleCrowd();
    }

    /// Adds connections until there are `count`; each has its subscription's EOSE.
    public void growTo(InetSocketAddress address, int count) throws IOException {
        while (connections.size() < count) {
            int number = connections.size();
            RawConnection connection = RawConnection.connect(address, Optional.of(source(number)), SMALL_BUFFER);
            connections.add(connection);
            connection.shakeHands();
            String author = String.format("%064x", number + 1);
            connection.sendText("[\"REQ\",\"feed\",{\"authors\":[\"" + author + "\"],\"kinds\":[1],\"limit\":50}]");
            connection.awaitText("[\"EOSE\"");
        }
    }

    /// How many there are.
    public int size() {
        return connections.size();
    }

    @Override
    public void close() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
    }

    private static InetAddress source(int number) throws IOException {
        int host = 1 + number / PER_ADDRESS;
        return InetAddress.getByAddress(new byte[] {127, 0, (byte) (host / 250), (byte) (1 + host % 250)});
    }
}
