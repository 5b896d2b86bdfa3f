package postroad.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import postroad.sync.core.StopCode;
import postroad.sync.peer.Gate;
import postroad.sync.peer.Refusal;
import postroad.wire.Fingerprint;
import postroad.wire.Identity;
import postroad.wire.Link;
import postroad.wire.PairingToken;
import postroad.wire.Pins;

/// Who this side is and whom it speaks to: its identity, its pins, and the pairing word that brings strangers together.
///
/// Thread-safe: peers come on threads of their own.
final class Trust implements Gate {
    private final Optional<Identity> identity;
    private final Pins pins;
    private final SyncSettings settings;
    private final Consumer<String> say;
    private Optional<PairingToken> issued = Optional.empty();
    private Consumer<PairingToken> renewed = token -> {};

    private Trust(Optional<Identity> identity, Pins pins, SyncSettings settings, Consumer<String> say) {
        this.identity = identity;
        this.pins = pins;
        this.settings = settings;
        this.say = say;
    }

    /// The identity and pins in `folder`; no identity where nothing is encrypted.
    static Trust of(Path folder, SyncSettings settings, Consumer<String> say) throws IOException {
        if (settings.plaintext()) {
            say.accept("WARNING: --plaintext: nothing is encrypted, and ANYBODY who reaches this can take part.");
            return new Trust(Optional.empty(), new Pins(folder), settings, say);
        }
        return new Trust(Optional.of(Identity.loadOrCreate(folder)), new Pins(folder), settings, say);
    }

    /// Empty where nothing is encrypted.
    Optional<Identity> identity() {
        return identity;
    }

    /// A fresh pairing word, for the side that listens; none where it makes no sense.
    ///
    /// @param renewed is given the next one each time that one was used
    synchronized Optional<PairingToken> issue(Consumer<PairingToken> renewed) {
        if (identity.isPresent() && settings.trusted().isEmpty() && !settings.trustFirst()) {
            this.renewed = renewed;
            issued = Optional.of(PairingToken.issue(identity.get().fingerprint()));
        }
        return issued;
    }

    /// What the side that dials says to show that it was given the listener's pairing word; empty without one.
    byte[] proof() {
        return settings.pair().isPresent()
                ? settings.pair().get().proof(identity.orElseThrow().fingerprint())
                : new byte[0];
    }

    @Override
    public synchronized Optional<Refused> refusal(Optional<Fingerprint> peer, byte[] proof) {
        if (identity.isEmpty()) {
            return Optional.empty();
        }
        if (peer.isEmpty()) {
            return Optional.of(new Refused("this side wants to know who you are", "it shows no certificate"));
        }
        try {
            return refusal(peer.get(), proof);
        } catch (IOException e) {
            say.accept("cannot read or write whom to trust: " + e.getMessage());
            return Optional.of(Refused.of("the other side cannot read or write whom it trusts: " + e.getMessage()));
        }
    }

    private Optional<Refused> refusal(Fingerprint peer, byte[] proof) throws IOException {
        boolean proven = proof.length > 0 && issued.isPresent() && issued.get().accepts(peer, proof);
        if (proven) {
            pin(peer, "paired with");
            issued = Optional.of(PairingToken.issue(identity.orElseThrow().fingerprint()));
            renewed.accept(issued.get());
            return Optional.empty();
        }
        if (isTrusted(peer)) {
            return Optional.empty();
        }
        String remedy = "; to trust it: " + trustCommand(peer) + whyNotFirst();
        if (proof.length > 0) {
            return Optional.of(new Refused(
                    "the pairing word is not this receiver's, or was used before; copy the line it shows now",
                    "its pairing word is not the one that was shown last" + remedy));
        }
        return Optional.of(new Refused(
                "you are not trusted there: paste the pairing line that it shows, or run there: postroad trust " + peer,
                "it is not trusted here" + remedy));
    }

    private String trustCommand(Fingerprint peer) {
        return "postroad trust " + peer + settings.homeOption();
    }

    /// Why `--trust-first` did not help; empty where it was not said.
    private String whyNotFirst() throws IOException {
        if (!settings.trustFirst()) {
            return "";
        }
        return settings.trusted().isEmpty()
                ? " (--trust-first is for when nobody is trusted yet, and "
                        + Amounts.count(pins.all().size(), "certificate is", "certificates are")
                        + " here: postroad identity" + settings.homeOption() + ")"
                : " (--trust-first does nothing beside --trust)";
    }

    /// Checks who is at the other end of a link that this side dialed; a stranger is told and left.
    ///
    /// @throws Failure if it is not whom we want
    synchronized void check(Link link) throws IOException {
        if (identity.isEmpty()) {
            return;
        }
        Fingerprint peer = link.peerFingerprint().orElseThrow(() -> new Failure(link.peer() + " says not who it is"));
        if (settings.pair().isPresent()) {
            Fingerprint wanted = settings.pair().get().issuer();
            if (!wanted.equals(peer)) {
                refuse(
                        link,
                        link.peer() + " is not whom the pairing line is from: it has the fingerprint " + peer + ", not "
                                + wanted);
            }
            if (!isPinned(peer)) {
                pin(peer, "paired with");
            }
        } else if (!isTrusted(peer)) {
            refuse(
                    link,
                    settings.trusted().isEmpty()
                            ? link.peer() + " is not trusted here; its fingerprint is " + peer + ". Paste its pairing"
                                    + " line, or compare the fingerprint with what it shows and run: "
                                    + trustCommand(peer) + whyNotFirst()
                            : link.peer() + " is not whom --trust names: it has the fingerprint " + peer + ", not "
                                    + settings.trusted().stream()
                                            .map(Fingerprint::toString)
                                            .sorted()
                                            .collect(Collectors.joining(" or ")));
        }
    }

    private static void refuse(Link link, String why) {
        Refusal.of(link, StopCode.REFUSED, "it does not trust this side's certificate");
        throw new Failure(why);
    }

    private boolean isPinned(Fingerprint peer) throws IOException {
        return pins.find(peer).isPresent();
    }

    private boolean isTrusted(Fingerprint peer) throws IOException {
        if (settings.trusted().contains(peer) || isPinned(peer)) {
            return true;
        }
        if (settings.trustFirst() && settings.trusted().isEmpty() && pins.all().isEmpty()) {
            pin(peer, "trusted as the first one:");
            return true;
        }
        return false;
    }

    private void pin(Fingerprint peer, String how) throws IOException {
        if (pins.find(peer).isEmpty()) {
            boolean _ = pins.add(peer, LocalDate.now(ZoneId.systemDefault()).toString());
        }
        say.accept(how + " " + peer + " (pinned; postroad untrust" + settings.homeOption() + " takes it back)");
    }
}
