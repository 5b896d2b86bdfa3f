package postroad.app.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import postroad.app.transfer.EventSink;
import postroad.app.transfer.ExportSummary;
import postroad.app.transfer.ImportFailure;
import postroad.app.transfer.ImportOptions;
import postroad.app.transfer.ImportSummary;
import postroad.app.transfer.Importer;
import postroad.app.transfer.Source;
import postroad.app.transfer.Sources;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.kit.Corpus;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;
import postroad.nostr.store.WriteOutcome;
import postroad.nostr.store.WriteResult;

class ControlTest {
    @TempDir
    Path folder;

    private EventStore store;
    private Path socket;
    private EventSink sink;

    @BeforeEach
    void open() {
        store = LmdbStore.open(new StoreOptions(folder.resolve("store"), 1 << 30, 0, java.util.Set.of(), false, false));
        socket = folder.resolve("control.sock");
        sink = batch -> store.write(batch, 1_800_000_000);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private ControlServer start() throws IOException {
        return ControlServer.start(socket, new NodeAccess() {
            @Override
            public EventStore store() {
                return store;
            }

            @Override
            public EventSink sink() {
                return sink;
            }

            @Override
            public Map<String, String> figures() {
                return Map.of("node", "running");
            }

            @Override
            public String inWords(Exception failure) {
                return "in words: " + failure.getMessage();
            }

            @Override
            public long futureSeconds() {
                return 900;
            }
        });
    }

    private ControlClient client() throws IOException {
        return ControlClient.connect(socket).orElseThrow();
    }

    private static Sources sources(Source... sources) {
        ArrayDeque<Source> rest = new ArrayDeque<>(List.of(sources));
        return () -> Optional.ofNullable(rest.poll());
    }

    private static Source source(String name, String lines) {
        return new Source(name, new ByteArrayInputStream(lines.getBytes(UTF_8)));
    }

    private static String lines(List<Event> events) {
        StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append(event.json()).append('\n'));
        return lines.toString();
    }

    @Test
    void onlyItsOwnerMayUseTheSocket() throws Exception {
        try (ControlServer _ = start()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            try (var names = Files.list(folder)) {
                assertThat(names.map(path -> path.getFileName().toString()))
                        .containsExactlyInAnyOrder("control.sock", "store");
            }
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void namesWithLineBreaksAndBackslashesArriveAsTheyAre() throws Exception {
        List<String> odd = List.of("one\ntwo", "back\\slash", "\\n", "\\\n\\", "", "tab\there");

        assertThat(Frame.of(Frame.SUMMARY, odd).lines()).isEqualTo(odd);
        Path target = folder.resolve("a line\nbreak");
        try (ControlServer _ = start();
                ControlClient client = client()) {
            client.backup(target);
        }
        assertThat(target).isNotEmptyDirectory();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anErrorOfTheThreadThatReadsTheAnswerEndsTheImport() throws Exception {
        try (var listener = ControlSocket.bind(socket);
                ControlClient client = client();
                SocketChannel node = listener.accept()) {
            ImportSummary none = Importer.run(sources(), sink, ImportOptions.of(true, 0), soFar -> {});
            var out = new DataOutputStream(Channels.newOutputStream(node));
            Frame.of(Frame.PROGRESS, none.toLines()).writeTo(out);
            out.flush();

            assertThatThrownBy(() -> client.importAll(sources(), true, soFar -> {
                        throw new NoClassDefFoundError("as it should");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("as it should");
        }
    }

    @Test
    void anErrorInACommandIsToldAndTheNextIsServed() throws Exception {
        EventSink real = sink;
        sink = batch -> {
            sink = real;
            throw new NoClassDefFoundError("as it should");
        };
        String lines = lines(Corpus.traffic(3).take(5));
        try (ControlServer _ = start()) {
            try (ControlClient client = client()) {
                assertThatThrownBy(() -> client.importAll(sources(source("a", lines)), true, soFar -> {}))
                        .isInstanceOf(ControlException.class)
                        .hasMessageContaining("the node failed")
                        .hasMessageContaining("as it should");
            }
            try (ControlClient client = client()) {
                assertThat(client.importAll(sources(source("a", lines)), true, soFar -> {})
                                .stored())
                        .isPositive();
            }
        }
    }

    @Test
    void whoConnectsAndSaysNothingIsCutOffSoThatOthersAreServed() throws Exception {
        try (ControlServer _ = start()) {
            List<SocketChannel> silent = new java.util.ArrayList<>();
            for (int i = 0; i < 20; i++) {
                silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            }
            try (ControlClient client = client()) {
                assertThat(client.info()).containsEntry("node", "running");
            }
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    @Test
    void aCommandThatEndsEarlyIsToldSo() throws Exception {
        try (ControlServer _ = start();
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(new byte[] {'Q', 0}));
            channel.shutdownOutput();

            String answer = new String(
                    java.nio.channels.Channels.newInputStream(channel).readAllBytes(), UTF_8);

            assertThat(answer).startsWith("E").endsWith("the command ended before it was whole");
        }
    }

    @Test
    void nobodyIsThereWhenNoNodeRunsOrOneWasKilled() throws Exception {
        assertThat(ControlClient.connect(socket)).isEmpty();

        // A killed node leaves its socket behind.
        ControlSocket.bind(socket).close();

        assertThat(socket).exists();
        assertThat(ControlClient.connect(socket)).isEmpty();
        try (ControlServer _ = start();
                ControlClient client = client()) {
            assertThat(client.info()).containsEntry("node", "running");
        }
    }

    @Test
    void reachesASocketWhoseNameIsTooLongForTheSystem() throws Exception {
        Path deep = folder;
        while (deep.toString().length() < 300) {
            deep = deep.resolve("a-folder-with-a-long-name-0123456789");
        }
        socket = Files.createDirectories(deep).resolve("control.sock");

        try (ControlServer _ = start();
                ControlClient client = client()) {
            assertThat(client.info()).containsEntry("node", "running");
            assertThat(socket).exists();
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void importsSeveralSourcesAndNamesEachBadLine() throws Exception {
        List<Event> events = Corpus.traffic(1).take(300);
        try (ControlServer _ = start();
                ControlClient client = client()) {
            ImportSummary summary = client.importAll(
                    sources(
                            source("a.jsonl", lines(events.subList(0, 100)) + "bad\n"),
                            source("empty", ""),
                            source("b.jsonl", "bad\n" + lines(events.subList(100, 300)))),
                    true,
                    soFar -> {});

            assertThat(summary.lines()).isEqualTo(302);
            assertThat(summary.refused().values()).containsExactly(new ImportSummary.Refused(2, "a.jsonl:101"));
            assertThat(summary.stored() + summary.replaced() + summary.deleted() + summary.ephemeral())
                    .isEqualTo(300);
        }
    }

    @Test
    void exportsAndBacksUpOfTheSameMoment() throws Exception {
        List<Event> events = Corpus.traffic(2).take(300);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ControlServer _ = start()) {
            try (ControlClient client = client()) {
                client.importAll(sources(source("x", lines(events))), true, soFar -> {});
            }
            ExportSummary summary;
            try (ControlClient client = client()) {
                summary = client.export(List.of(Filter.ALL), out, count -> {});
            }
            try (ControlClient client = client()) {
                assertThat(client.backup(folder.resolve("copy"))).isEqualTo(summary.sequence());
            }
            assertThat(summary.events()).isEqualTo(out.toString(UTF_8).lines().count());
            assertThat(summary.sequence()).isEqualTo(store.sequence());
        }
    }

    @Test
    void passesTheReasonOfAFailureOn() throws Exception {
        Files.createDirectories(folder.resolve("full"));
        Files.writeString(folder.resolve("full").resolve("x"), "");
        try (ControlServer _ = start();
                ControlClient client = client()) {
            assertThatExceptionOfType(ControlException.class)
                    .isThrownBy(() -> client.backup(folder.resolve("full")))
                    .withMessageStartingWith("in words: ")
                    .withMessageContaining("full");
        }
    }

    @Test
    void endsAnImportWhenTheStoreTakesNoMore() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        AtomicLong stored = new AtomicLong();
        sink = batch -> {
            if (full.getAndSet(true)) {
                return new WriteResult(List.of(new WriteOutcome.Failed("error: the disk is full")), 0);
            }
            WriteResult result = store.write(batch, 0);
            stored.set(result.outcomes().stream()
                    .filter(outcome -> outcome instanceof WriteOutcome.Stored)
                    .count());
            return result;
        };
        // Without an end: the client must not go on sending for ever.
        InputStream endless = new InputStream() {
            private final Corpus corpus = Corpus.traffic(3);
            private byte[] line = {};
            private int at;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] target, int from, int length) {
                if (at == line.length) {
                    line = (corpus.next().json() + "\n").getBytes(UTF_8);
                    at = 0;
                }
                int count = Math.min(length, line.length - at);
                System.arraycopy(line, at, target, from, count);
                at += count;
                return count;
            }
        };
        try (ControlServer _ = start();
                ControlClient client = client()) {
            assertThatExceptionOfType(ImportFailure.class)
                    .isThrownBy(() -> client.importAll(sources(new Source("endless", endless)), true, soFar -> {}))
                    .withMessageContaining("the disk is full")
                    .satisfies(failure -> {
                        assertThat(failure.soFar().stored()).isEqualTo(stored.get());
                        assertThat(failure.soFar().lines()).isGreaterThanOrEqualTo(stored.get());
                    });
        }
        assertThat(stored.get()).isPositive();
    }

    @Test
    void anImportThatNeverBeganHasNoCounts() throws Exception {
        try (ControlServer _ = start()) {
            assertThat(answerTo("Q", "postroad-control 1 import"))
                    .startsWith("E")
                    .contains("needs one verify");
        }
    }

    @Test
    void logsLoudlyThatSignaturesAreNotChecked() throws Exception {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(ControlServer.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try (ControlServer _ = start()) {
            for (boolean verify : new boolean[] {true, false}) {
                try (ControlClient client = client()) {
                    client.importAll(sources(source("x", "")), verify, soFar -> {});
                }
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged).singleElement().asString().startsWith("WARNING").contains("--no-verify");
    }

    @Test
    void refusesWhatIsNoCommandOrOfAnotherVersion() throws Exception {
        try (ControlServer _ = start()) {
            assertThat(answerTo("Q", "GET / HTTP/1.1")).startsWith("E").contains("no command");
            assertThat(answerTo("Q", "postroad-control 2 info")).startsWith("E").contains("version 1");
            assertThat(answerTo("Q", "postroad-control 1 dance"))
                    .startsWith("E")
                    .contains("no command dance");
            assertThat(answerTo("D", "postroad-control 1 info")).startsWith("E").contains("no command");
        }
    }

    private String answerTo(String type, String payload) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer frame = ByteBuffer.allocate(5 + payload.length());
            frame.put(type.getBytes(UTF_8))
                    .putInt(payload.length())
                    .put(payload.getBytes(UTF_8))
                    .flip();
            channel.write(frame);
            ByteBuffer answer = ByteBuffer.allocate(4096);
            while (channel.read(answer) >= 0) {
                if (answer.position() > 5 && answer.position() >= 5 + answer.getInt(1)) {
                    break;
                }
            }
            return new String(answer.array(), 0, answer.position(), UTF_8);
        }
    }

    @Test
    void aFrameThatIsTooLongEndsTheConnectionOnly() throws Exception {
        try (ControlServer _ = start()) {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket));
                channel.write(ByteBuffer.wrap(new byte[] {'Q', 127, 0, 0, 0}));
                ByteBuffer answer = ByteBuffer.allocate(4096);
                channel.read(answer);
                assertThat(new String(answer.array(), 0, answer.position(), UTF_8))
                        .startsWith("E");
            }
            try (ControlClient client = client()) {
                assertThat(client.info()).containsEntry("node", "running");
            }
        }
    }

    @Test
    void aClientThatGoesAwayInTheMiddleHarmsNothing() throws Exception {
        String begin = lines(Corpus.traffic(5).take(50));
        try (ControlServer _ = start()) {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.connect(UnixDomainSocketAddress.of(socket));
                for (String frame :
                        List.of("Qpostroad-control 1 import\nverify\ttrue", "Fx", "D" + begin + "{\"id\":")) {
                    byte[] bytes = frame.getBytes(UTF_8);
                    channel.write(ByteBuffer.allocate(bytes.length + 4)
                            .put(bytes[0])
                            .putInt(bytes.length - 1)
                            .put(bytes, 1, bytes.length - 1)
                            .flip());
                }
            }
            try (ControlClient client = client()) {
                ImportSummary again = client.importAll(sources(source("x", begin)), true, soFar -> {});

                assertThat(again.lines()).isEqualTo(50);
                assertThat(again.refused()).isEmpty();
            }
        }
    }

    @Test
    void aNodeThatStopsEndsWhatIsUnderWay() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        sink = batch -> {
            writing.countDown();
            new CountDownLatch(1).await();
            throw new IllegalStateException("not reached");
        };
        ControlServer server = start();
        try (ControlClient client = client()) {
            Thread stopper = Thread.ofVirtual().start(() -> {
                try {
                    writing.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                server.close();
            });

            assertThatExceptionOfType(ControlException.class)
                    .isThrownBy(() -> client.importAll(
                            sources(source("x", lines(Corpus.traffic(4).take(10)))), true, soFar -> {}))
                    .withMessageContaining("stopping");
            stopper.join();
        }
    }

    @Test
    void theSummarySurvivesItsFormOnTheWire() {
        ImportSummary summary = new ImportSummary(
                9,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                Map.of("invalid: a\treason\nof two lines", new ImportSummary.Refused(8, "f:1")));

        ImportSummary read = ImportSummary.ofLines(summary.toLines()).orElseThrow();

        assertThat(read.counts()).isEqualTo(summary.counts());
        assertThat(read.refused())
                .isEqualTo(Map.of("invalid: a reason of two lines", new ImportSummary.Refused(8, "f:1")));
        assertThat(ImportSummary.ofLines(List.of("nonsense"))).isEmpty();
        assertThat(ImportSummary.ofLines(List.of("count\tread"))).isEmpty();
    }
}
