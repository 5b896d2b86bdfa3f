package postroad.app;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import postroad.wire.PairingToken;
import postroad.wire.TcpListener;

/// What a side that listens says of itself: who it is, where it is reached, and the line that pairs a stranger with it.
final class Greetings {
    private Greetings() {}

    /// Prints it: for scripts where answers go, for the person the rest.
    ///
    /// @param once whether nobody comes after the first
    static void print(TcpListener listener, Trust trust, boolean once, Console console, SyncProgress progress) {
        trust.identity().ifPresent(identity -> console.out().println("fingerprint " + identity.fingerprint()));
        InetSocketAddress address = listener.address();
        console.out().println("listening " + shown(address.getAddress(), address.getPort()));
        console.out().flush();
        List<String> reachable = reachable(address);
        progress.say("reachable at " + String.join(", ", reachable));
        trust.issue(token -> {
                    if (!once) {
                        pairing(reachable.getFirst(), token, progress);
                    }
                })
                .ifPresent(token -> pairing(reachable.getFirst(), token, progress));
        if (trust.identity().isEmpty()) {
            progress.say("at the sender: postroad send FOLDER " + reachable.getFirst() + " --plaintext");
        }
    }

    private static void pairing(String where, PairingToken token, SyncProgress progress) {
        progress.say("to pair a sender with this side, paste there (good once):");
        progress.plain("postroad send FOLDER " + where + " --pair " + token.text());
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
