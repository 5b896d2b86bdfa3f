package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Outcome;
import postroad.sync.core.Role;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;
import postroad.sync.core.Window;

/// A receiver that breaks rules is told so, and costs its sender nothing.
final class HostileReceiverTest {
    private static final Frame WHOLE = new Frame.Want(List.of(new WantedFile(0, false, WantedFile.ANY_LINK)));
    private static final Frame RECIPE = new Frame.Want(List.of(new WantedFile(0, true, WantedFile.ANY_LINK)));
    private static final Frame DONE = new Frame.Done(List.of(new Outcome(0, Outcome.CREATED)));
    private static final Frame MISSING = new Frame.Missing(0, 0, List.of(new ChunkRange(0, 1)));

    @TempDir
    private Path source;

    @BeforeEach
    void fill() throws IOException {
        byte[] content = new byte[200_000];
        new Random(1).nextBytes(content);
        Files.write(source.resolve("a"), content);
        Files.write(source.resolve("b"), content);
        Files.createDirectory(source.resolve("c"));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void breaksARule(String rule, List<Frame> frames) throws Exception {
        try (HostilePeer peer = HostilePeer.toSender(source, SessionOptions.DEFAULT.withInFlight(2))) {
            peer.hello(Role.RECEIVER);
            assertThat(peer.readTo(frame -> frame instanceof Frame.EntriesEnd)).isPresent();
            for (Frame each : frames) {
                peer.say(each);
                if (each.equals(RECIPE)) {
                    assertThat(peer.readTo(frame -> frame instanceof Frame.RecipePart))
                            .isPresent();
                }
            }

            assertThat(peer.end()).isInstanceOfSatisfying(SessionEnd.Stopped.class, stopped -> {
                assertThat(stopped.code()).isEqualTo(StopCode.PROTOCOL);
                assertThat(stopped.text()).contains(rule);
            });
        }
    }

    static Stream<Arguments> breaches() {
        return Stream.of(
                breach("a summary while 1 files are open", WHOLE, new Frame.Summary(0, 0, 0, 0, 0, 0, false)),
                breach("wants entry 0 twice", WHOLE, WHOLE),
                breach("wants entry 0 twice", WHOLE, DONE, WHOLE),
                breach("wants entry 2, which is no file", want(2)),
                breach("wants entry 99, which is no file", want(99)),
                breach("over link 9", new Frame.Want(List.of(new WantedFile(0, false, 9)))),
                breach("done with entry 0 twice", WHOLE, DONE, DONE),
                breach("done with entry 0 twice", DONE, new Frame.Failed(0, "x", FailureCode.OTHER, "y")),
                breach("has done entry 77", new Frame.Done(List.of(new Outcome(77, 1)))),
                breach("misses chunks of entry 0, which has no recipe", WHOLE, MISSING),
                breach("does not have", RECIPE, new Frame.Missing(0, 0, List.of(new ChunkRange(5, 1 << 30)))),
                breach(
                        "more than once",
                        RECIPE,
                        new Frame.Missing(0, 0, List.of()),
                        new Frame.Missing(0, 0, List.of(new ChunkRange(0, 20))),
                        new Frame.Missing(0, 0, List.of(new ChunkRange(0, 20)))),
                breach("goes past the window", new Frame.Credit(Window.CONTENT, 1L << 40)),
                breach("a second Hello", hello()),
                breach("a receiver does not send Bye", new Frame.Bye()),
                breach("a receiver does not send Entries", new Frame.Entries(List.of())));
    }

    private static Arguments breach(String rule, Frame... frames) {
        return Arguments.of(rule, List.of(frames));
    }

    private static Frame want(long id) {
        return new Frame.Want(List.of(new WantedFile(id, false, WantedFile.ANY_LINK)));
    }

    private static Frame hello() {
        return new Frame.Hello(
                1, 1, SessionIds.draw(), Role.RECEIVER, 1, SessionOptions.DEFAULT, "hostile", new byte[0]);
    }

    @Test
    void wantsMoreThanAgreed() throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.createFile(source.resolve("more" + i));
        }
        try (HostilePeer peer = HostilePeer.toSender(source, SessionOptions.DEFAULT.withInFlight(2))) {
            peer.hello(Role.RECEIVER);
            assertThat(peer.readTo(frame -> frame instanceof Frame.EntriesEnd)).isPresent();
            peer.say(want(0), want(1), want(3));

            assertThat(peer.end())
                    .isInstanceOfSatisfying(
                            SessionEnd.Stopped.class,
                            stopped -> assertThat(stopped.text()).contains("more than 2 files at a time"));
        }
    }
}
