package postroad.app;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import postroad.wire.Links;
import postroad.wire.PairingToken;
import postroad.wire.TcpListener;

/// What a side that listens says of itself: who it is, where it is reached, and the line that pairs a stranger with it.
final class Greetings {
    private Greetings() {}

    /// Which side listens, and so what is to be pasted at the other.
    enum Side {
        SENDER("receive FOLDER ", "receiver", true),
        RECEIVER("send FOLDER ", "sender", false),
        /// Nobody comes after the first.
        RECEIVER_OF_ONE("send FOLDER ", "sender", true);

        private final String command;
        private final String other;
        private final boolean once;

        Side(String command, String other, boolean once) {
            this.command = command;
            this.other = other;
            this.once = once;
        }
    }

    /// What a side does while it listens.
    @FunctionalInterface
    interface Served<T> {
        T serve(TcpListener listener) throws InterruptedException;
    }

    /// Listens, says so, and serves.
    ///
    /// @throws Failure if nothing can listen there
    static <T> T listen(
            SyncSettings settings, Trust trust, Side side, Console console, SyncProgress progress, Served<T> served)
            throws InterruptedException {
        InetSocketAddress address = settings.listen()
                .orElse(new Endpoint(Endpoint.EVERYWHERE, Endpoint.USUAL_PORT))
                .address();
        try (TcpListener listener = Links.listen(address, trust.identity(), settings.links(), progress::stray)) {
            // What the first handshake of a process costs is paid before anybody waits for it.
            trust.identity().ifPresent(Links::rehearse);
            print(listener, trust, side, console, progress);
            return served.serve(listener);
        } catch (IOException e) {
            throw new Failure(Listening.inWords(String.valueOf(e.getMessage())), e);
        }
    }

    /// For scripts where answers go, for the person the rest.
    private static void print(TcpListener listener, Trust trust, Side side, Console console, SyncProgress progress) {
        trust.identity().ifPresent(identity -> console.out().println("fingerprint " + identity.fingerprint()));
        InetSocketAddress address = listener.address();
        console.out().println("listening " + shown(address.getAddress(), address.getPort()));
        console.out().flush();
        List<String> reachable = reachable(address);
        progress.say("reachable at " + String.join(", ", reachable));
        String command = "postroad " + side.command + reachable.getFirst();
        trust.issue(token -> {
                    if (!side.once) {
                        pairing(command, side, token, progress);
                    }
                })
                .ifPresent(token -> pairing(command, side, token, progress));
        if (trust.identity().isEmpty()) {
            progress.say("at the " + side.other + ":");
            progress.plain(command + " --plaintext");
        }
    }

    private static void pairing(String command, Side side, PairingToken token, SyncProgress progress) {
        progress.say("to pair a " + side.other + " with this side, paste there (good once):");
        progress.plain(command + " --pair " + token.text());
    }

    /// Where others may reach an address that is listened on.
    private static List<String> reachable(InetSocketAddress address) {
        if (!address.getAddress().isAnyLocalAddress()) {
            return List.of(shown(address.getAddress(), address.getPort()));
        }
        List<InetAddress> all = new ArrayList<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                    .filter(each -> each instanceof Inet4Address || !(address.getAddress() instanceof Inet4Address))
                    .forEach(all::add);
        } catch (SocketException e) {
            all.clear();
        }
        if (all.isEmpty()) {
            return List.of("127.0.0.1:" + address.getPort());
        }
        return all.stream()
                .sorted(Comparator.comparingInt(each -> each instanceof Inet4Address ? 0 : 1))
                .map(each -> shown(each, address.getPort()))
                .toList();
    }

    private static String shown(InetAddress address, int port) {
        String host = address.getHostAddress();
        int zone = host.indexOf('%');
        return new Endpoint(zone < 0 ? host : host.substring(0, zone), port).toString();
    }
}
