package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.fuzz.RawConnection;
import postroad.lab.process.Node;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Keys;

/// A node whose disk has no more room, as its clients see it.
final class FullDiskTest {
    private static final Signer AUTHOR = new Keys(5).signer(0);
    private static final long TIME = 1_700_000_000;
    private static final long MOST_RESERVE = 1L << 40;

    @TempDir
    private Path folder;

    private int made;

    @Test
    void refusesWithErrorServesWhatIsThereAndTakesEventsAgainWithoutARestart() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                Tool.run("mount", "-t", "tmpfs", "-o", "size=24m", "none", disk.toString())
                                .status()
                        == 0,
                "no file system can be mounted by this user");
        try (Node node = Node.start(withReserve("4 MiB"), disk.resolve("home"), List.of());
                RawConnection client = RawConnection.open(node.address())) {
            Path ballast = Files.write(disk.resolve("ballast"), new byte[10 << 20]);
            List<Event> stored = publishUntilRefused(client);

            assertThat(stored).isNotEmpty();
            assertThat(count(client)).isEqualTo(stored.size());
            Files.delete(ballast);
            Event later = note(60_000);
            assertThat(publish(client, later)).contains(",true,");
            assertThat(count(client)).isEqualTo(stored.size() + 1);
            assertThat(node.stop()).as(node.process().talk()).isZero();
        } finally {
            Tool.run("umount", disk.toString());
        }
    }

    /// The same without a disk of its own: the reserve is more than any room there is.
    @Test
    void refusesEventsButNoDeletionsBelowTheReserve() throws Exception {
        assumeTrue(
                Files.getFileStore(folder).getUsableSpace() < MOST_RESERVE,
                "more is free here than a reserve can be large");
        Path home = folder.resolve("home");
        Event first = note(10);
        Event second = note(10);
        try (Node node = Node.start(withReserve("0"), home, List.of());
                RawConnection client = RawConnection.open(node.address())) {
            assertThat(publish(client, first)).contains(",true,");
            assertThat(publish(client, second)).contains(",true,");
            assertThat(node.stop()).isZero();
        }

        Event late = note(10);
        try (Node node = Node.start(withReserve("1 TiB"), home, List.of());
                RawConnection client = RawConnection.open(node.address())) {
            assertThat(publish(client, late)).contains(late.id().hex()).contains(",false,\"error: ");
            assertThat(count(client)).isEqualTo(2);
            Event deletion = AUTHOR.sign(
                    new EventDraft(TIME, 5, List.of(Tag.of("e", first.id().hex())), ""));
            assertThat(publish(client, deletion)).contains(",true,");
            assertThat(count(client)).as("one is deleted").isEqualTo(1);
            assertThat(publish(client, late)).contains(",false,\"error: ");
            assertThat(node.stop()).isZero();
        }

        try (Node node = Node.start(withReserve("0"), home, List.of());
                RawConnection client = RawConnection.open(node.address())) {
            assertThat(publish(client, late)).contains(",true,");
            assertThat(count(client)).isEqualTo(2);
            assertThat(node.stop()).isZero();
        }
    }

    private List<Event> publishUntilRefused(RawConnection client) throws IOException {
        List<Event> stored = new ArrayList<>();
        while (stored.size() < 2_000) {
            Event event = note(60_000);
            String answer = publish(client, event);
            if (answer.contains(",false,")) {
                assertThat(answer).contains(event.id().hex()).contains("\"error: ");
                return stored;
            }
            stored.add(event);
        }
        throw new AssertionError("a disk of 24 MiB took " + stored.size() + " events of 60,000 bytes");
    }

    private static String publish(RawConnection client, Event event) throws IOException {
        client.sendText("[\"EVENT\"," + event.json() + "]");
        return client.awaitText("[\"OK\"");
    }

    private static int count(RawConnection client) throws IOException {
        client.sendText("[\"COUNT\",\"c\",{\"kinds\":[1]}]");
        String answer = client.awaitText("[\"COUNT\",\"c\",{\"count\":");
        return Integer.parseInt(answer.replaceAll("^.*\"count\":([0-9]+).*$", "$1"));
    }

    private static List<String> withReserve(String size) {
        List<String> command = new ArrayList<>(List.of("env", "POSTROAD_STORE_RESERVE_BYTES=" + size));
        command.addAll(Program.command());
        return command;
    }

    private Event note(int length) {
        return AUTHOR.sign(new EventDraft(TIME + ++made, 1, List.of(), "n".repeat(length) + made));
    }
}
