package postroad.app;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import postroad.app.config.Home;
import postroad.app.control.ControlClient;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.StoreException;

/// Reaches what a home holds: through the node that runs on it, else in its store.
///
/// A node that starts or stops holds the store without answering at its control socket. So where another process has
/// the store, both ways are tried again for a while.
final class HomeAccess {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    /// How the store says that it is held.
    private static final Pattern HELD = Pattern.compile("is open in (?:process (\\d+)|this process)");

    private final Home home;
    private final String verb;
    private final Console console;
    private final Duration patience;

    private HomeAccess(Home home, String verb, Console console, Duration patience) {
        this.home = home;
        this.verb = verb;
        this.console = console;
        this.patience = patience;
    }

    static HomeAccess of(Home home, String verb, Console console) {
        return new HomeAccess(home, verb, console, PATIENCE);
    }

    HomeAccess withPatience(Duration longer) {
        return new HomeAccess(home, verb, console, longer);
    }

    /// What is done with a node or a store.
    @FunctionalInterface
    interface Use<S, T> {
        T with(S it) throws IOException, InterruptedException;
    }

    /// Does one or the other.
    ///
    /// @param open opens the store of a node that does not run
    /// @throws Failure when somebody has the store who does not answer, or the folder is no home
    <T> T reach(Use<ControlClient, T> running, Supplier<EventStore> open, Use<EventStore, T> stopped)
            throws IOException, InterruptedException {
        Wait wait = new Wait();
        while (true) {
            Optional<ControlClient> node = ControlClient.connect(home.controlSocket());
            if (node.isPresent()) {
                try (ControlClient client = node.get()) {
                    return running.with(client);
                }
            }
            HomeFolder.requireHome(home);
            switch (open(open)) {
                case Opened.Free(EventStore store) -> {
                    try (store) {
                        return stopped.with(store);
                    }
                }
                case Opened.Held held -> wait.forHolder(held);
            }
        }
    }

    /// Opens the store for a node. Whoever only reads it, or stops, has it for a moment; a node that answers keeps it.
    ///
    /// @throws StoreException when a node runs already
    /// @throws Failure when somebody else has the store
    EventStore openToServe(Supplier<EventStore> open) throws IOException, InterruptedException {
        Wait wait = new Wait();
        while (true) {
            switch (open(open)) {
                case Opened.Free(EventStore store) -> {
                    return store;
                }
                case Opened.Held held -> {
                    if (answers()) {
                        throw held.reason();
                    }
                    wait.forHolder(held);
                }
            }
        }
    }

    private boolean answers() throws IOException {
        Optional<ControlClient> node = ControlClient.connect(home.controlSocket());
        node.ifPresent(ControlClient::close);
        return node.isPresent();
    }

    /// The patience of one command.
    private final class Wait {
        private final long end = System.nanoTime() + patience.toNanos();
        private boolean isSaid;

        void forHolder(Opened.Held held) throws InterruptedException {
            if (System.nanoTime() >= end) {
                throw new Failure(held.holder() + " has the store in " + home.store() + " open and does not answer yet:"
                        + " a node that is starting or stopping, or an import; try again when it is ready");
            }
            if (!isSaid) {
                isSaid = true;
                console.say(verb + ": " + held.holder() + " has the store open; waiting up to " + patience.toSeconds()
                        + " s for it");
            }
            Thread.sleep(PAUSE);
        }
    }

    /// The store, or who has it.
    private sealed interface Opened {
        record Free(EventStore store) implements Opened {}

        record Held(String holder, StoreException reason) implements Opened {}
    }

    private static Opened open(Supplier<EventStore> open) {
        try {
            return new Opened.Free(open.get());
        } catch (StoreException e) {
            Matcher held = HELD.matcher(String.valueOf(e.getMessage()));
            if (!held.find()) {
                throw e;
            }
            return new Opened.Held(holder(held.group(1)), e);
        }
    }

    /// The number in the store's lock is that of the last process that wrote; one that only reads leaves none.
    private static String holder(String pid) {
        if (pid == null) {
            return "this process";
        }
        return ProcessHandle.of(Long.parseLong(pid)).isPresent() ? "process " + pid : "another process";
    }
}
