package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house that only the sources show.
final class SourcesTest {
    private static final Path ROOT = Path.of(System.getProperty("postroad.root"));
    private static final String PACKAGE_TEXT = "package-info.java";
    private static final Predicate<Path> PACKAGE_INFO = file -> file.endsWith(PACKAGE_TEXT);
    private static final Pattern TYPE = Pattern.compile(
            "^(?<public>public )?(?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum|@interface) (?<name>\\w+)",
            Pattern.MULTILINE);

    @Test
    void everyPackageSaysWhatItIs() {
        assertThat(sources("main").map(Path::getParent).distinct())
                .isNotEmpty()
                .allSatisfy(folder -> assertThat(folder.resolve(PACKAGE_TEXT)).exists());
        assertThat(sources("main").filter(PACKAGE_INFO))
                .allSatisfy(file -> assertThat(text(file)).startsWith("/// "));
    }

    @Test
    void everyTypeBeginsWithASentenceThatDefinesIt() {
        List<Path> undefined = sources("main")
                .filter(PACKAGE_INFO.negate())
                .filter(file -> !Pattern.compile("^/// \\S.*", Pattern.MULTILINE)
                        .matcher(beforeType(text(file)))
                        .find())
                .toList();

        assertThat(undefined).isEmpty();
    }

    @Test
    void everyPublicTypeIsNamedInItsPackagesText() {
        List<String> unnamed = sources("main")
                .filter(PACKAGE_INFO.negate())
                .filter(file -> firstType(text(file)).group("public") != null)
                .filter(file -> !file.endsWith("Main.java"))
                .filter(file -> !Pattern.compile("\\b" + firstType(text(file)).group("name") + "\\b")
                        .matcher(text(file.resolveSibling(PACKAGE_TEXT)))
                        .find())
                .map(file -> ROOT.relativize(file).toString())
                .toList();

        assertThat(unnamed).isEmpty();
    }

    @Test
    void noSourceNamesAPlaceOfThisMachine() {
        String checkout = ROOT.toAbsolutePath().normalize() + "/";
        String home = System.getProperty("user.home") + "/";

        List<Path> named = Stream.of("main", "test")
                .flatMap(SourcesTest::sources)
                .filter(file -> Stream.of(checkout, home)
                        .filter(place -> place.length() > 2)
                        .anyMatch(text(file)::contains))
                .toList();

        assertThat(named).isEmpty();
    }

    private static String beforeType(String source) {
        return source.substring(0, firstType(source).start());
    }

    private static MatchResult firstType(String source) {
        return TYPE.matcher(source)
                .results()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no type in " + source));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> sources(String part) {
        Pattern inside = Pattern.compile("(?:[a-z]+/){1,2}src/" + part + "/java/.*\\.java");
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files
                    .filter(file ->
                            inside.matcher(ROOT.relativize(file).toString()).matches())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
