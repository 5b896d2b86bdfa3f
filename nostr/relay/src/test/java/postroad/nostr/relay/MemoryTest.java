package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;

/// What many clients take together is bounded, those who ask for little are served meanwhile, and all of it
/// is given back.
@ExtendWith(Leaks.class)
class MemoryTest {
    private static final long NOW = TestRelay.NOW;
    private static final long PLENTY = 64L << 20;

    @Test
    void boundsWhatManyUnfinishedMessagesTakeTogether() throws Exception {
        long most = 1 << 20;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(most, PLENTY, PLENTY, PLENTY))) {
            byte[] frame = RawClient.masked(0x81, new byte[500_000]);
            List<RawClient> hoarders = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient hoarder = relay.client();
                hoarder.raw(java.util.Arrays.copyOf(frame, frame.length - 1));
                hoarders.add(hoarder);
            }
            // The last has come when all there is room for is taken: it is told to come back.
            RawClient.Frame close = hoarders.getLast().nextClose();

            assertThat(close.closeCode()).isEqualTo(1013);
            assertThat(relay.server().memoryOfMessages()).isBetween(500_000L, 2 * most);
            try (RawClient small = relay.client()) {
                assertThat(small.publish(relay.note(1, NOW, "small"))).contains("true");
            }
            closeAll(hoarders);
            awaitZero(relay.server()::memoryOfMessages);
            try (RawClient large = relay.client()) {
                assertThat(large.publish(relay.note(1, NOW, "x".repeat(500_000))))
                        .contains("true");
            }
        }
    }

    @Test
    void boundsWhatWaitsForManyReadersWhoReadNothing() throws Exception {
        long most = 8 << 20;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(PLENTY, PLENTY, PLENTY, most))) {
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 1_500; i++) {
                notes.add(relay.note(1, NOW - i, "w".repeat(8_000) + i));
            }
            relay.ingest(notes);
            List<RawClient> deaf = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                RawClient reader = RawClient.deaf(relay.address());
                for (int s = 0; s < 4; s++) {
                    reader.send("[\"REQ\",\"" + s + "\",{\"limit\":1500}]");
                }
                deaf.add(reader);
            }

            try (RawClient healthy = relay.client()) {
                assertThat(healthy.request("s", "{\"limit\":1500}")).hasSize(1_500);
            }
            assertThat(relay.server().memoryOfOutput()).isLessThan(3 * most);
            closeAll(deaf);
            awaitZero(relay.server()::memoryOfOutput);
        }
    }

    @Test
    void cutsLiveReadersWhoReadNothingBeforeTheyFillTheMemory() throws Exception {
        long most = 4 << 20;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(PLENTY, PLENTY, PLENTY, most));
                RawClient healthy = relay.client()) {
            healthy.request("s", "{\"limit\":0}");
            List<RawClient> deaf = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawClient reader = RawClient.deaf(relay.address());
                reader.send("[\"REQ\",\"d\",{\"limit\":0}]");
                deaf.add(reader);
            }
            int rounds = 0;
            while (relay.server().stats().slowReadersCut() == 0) {
                // Both kinds of bytes: copied for each reader, and shared.
                Event note = relay.note(1, NOW - rounds, "y".repeat(rounds % 2 == 0 ? 1_000 : 100_000) + rounds);
                relay.ingest(List.of(note));
                assertThat(healthy.nextMessage().get(2).get("id").asText())
                        .isEqualTo(note.id().hex());
                assertThat(relay.server().memoryOfOutput()).isLessThan(2 * most);
                rounds++;
                assertThat(rounds).isLessThan(2_000);
            }

            closeAll(deaf);
            awaitZero(relay.server()::memoryOfOutput);
        }
    }

    @Test
    void boundsWhatOpenSubscriptionsTakeTogether() throws Exception {
        long most = 4 << 20;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(PLENTY, PLENTY, most, PLENTY))) {
            List<RawClient> hoarders = new ArrayList<>();
            String refusal = "";
            for (int i = 0; i < 200; i++) {
                RawClient hoarder = relay.client();
                hoarders.add(hoarder);
                // Both what many values take, and what long ones do.
                hoarder.send("[\"REQ\",\"h\",{\"#t\":" + (i % 2 == 0 ? values(i, 200, 10) : values(i, 4, 10_000))
                        + ",\"limit\":0}]");
                refusal = hoarder.next();
            }

            assertThat(refusal).contains("\"CLOSED\",\"h\",\"rate-limited: ");
            assertThat(relay.server().memoryOfSubscriptions()).isBetween(most / 2, most);
            try (RawClient small = relay.client()) {
                assertThat(small.request("s", "{\"#t\":[\"a\",\"b\"]}")).isEmpty();
                small.send("[\"CLOSE\",\"s\"]");
                assertThat(small.request("t", "{\"#t\":[\"a\",\"b\"]}")).isEmpty();
            }
            closeAll(hoarders);
            awaitZero(relay.server()::memoryOfSubscriptions);
            try (RawClient large = relay.client()) {
                assertThat(large.request("s", "{\"#t\":" + values(0, 1_000, 10) + "}"))
                        .isEmpty();
            }
        }
    }

    @Test
    void countsTakeOfTheSameAndGiveItBack() throws Exception {
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(PLENTY, PLENTY, 256 << 10, PLENTY));
                RawClient client = relay.client()) {
            client.send("[\"COUNT\",\"large\",{\"#t\":" + values(0, 1_000, 10) + "}]");
            assertThat(client.next()).contains("\"CLOSED\",\"large\",\"rate-limited: ");
            for (int i = 0; i < 100; i++) {
                client.send("[\"COUNT\",\"small\",{\"#t\":[\"a\",\"b\"]}]");
                assertThat(client.next()).contains("\"COUNT\",\"small\"");
            }
            awaitZero(relay.server()::memoryOfSubscriptions);
        }
    }

    @Test
    void countsWhatReallyWaitsForLiveReaders() throws Exception {
        long most = 16 << 20;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(PLENTY, PLENTY, PLENTY, most))) {
            List<RawClient> deaf = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                RawClient reader = RawClient.deaf(relay.address());
                reader.send("[\"REQ\",\"d\",{\"limit\":0}]");
                deaf.add(reader);
            }
            long before = directMemory();
            long worst = 0;
            // Shared, and so small that what stands before each is a good part of it.
            for (int i = 0; i < 40; i++) {
                List<Event> notes = new ArrayList<>();
                for (int k = 0; k < 50; k++) {
                    notes.add(relay.note(1, NOW - i, "z".repeat(2_100) + k));
                }
                relay.ingest(notes);
                long really = directMemory() - before;
                worst = Math.max(worst, really - 2 * relay.server().memoryOfOutput());
            }

            assertThat(worst).isLessThan(8 << 20);
            closeAll(deaf);
            awaitZero(relay.server()::memoryOfOutput);
        }
    }

    @Test
    void boundsWhatManyUnfinishedRequestsTakeTogether() throws Exception {
        long most = 64 << 10;
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), new Memory(most, PLENTY, PLENTY, PLENTY))) {
            String head = "GET / HTTP/1.1\r\nHost: x\r\n" + "A: b\r\n".repeat(1_000);
            List<RawClient> dawdlers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient dawdler = RawClient.tcp(relay.address());
                dawdler.raw(head);
                dawdlers.add(dawdler);
            }

            assertThat(dawdlers.getLast().readAll()).startsWith("HTTP/1.1 503 ");
            assertThat(relay.server().memoryOfMessages()).isLessThan(2 * most);
            try (RawClient brief = relay.client()) {
                assertThat(brief.request("s", "{}")).isEmpty();
            }
            closeAll(dawdlers);
            awaitZero(relay.server()::memoryOfMessages);
        }
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }

    private static String values(int salt, int count, int length) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add("\"" + salt + "-" + i + "-" + "v".repeat(length) + "\"");
        }
        return values.toString();
    }

    private static void closeAll(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private static void awaitZero(java.util.function.LongSupplier taken) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (taken.getAsLong() != 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(taken.getAsLong()).isZero();
    }
}
