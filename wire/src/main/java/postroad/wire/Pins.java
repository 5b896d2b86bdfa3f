package postroad.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whose certificates are trusted: a file of lines `FINGERPRINT NAME`.
///
/// People may edit it; blank lines and those that begin with `#` stay as they are. Every question reads
/// the file anew, so that a running receiver sees what another process trusts; changes are made under a
/// lock and replace the file as a whole.
public final class Pins {
    private static final int LARGEST = 1 << 20;
    private static final int LONGEST_NAME = 100;

    private final Path file;
    private final Path lock;

    /// The pins in `folder`, in a file that need not exist yet.
    public Pins(Path folder) {
        this.file = folder.resolve("pins");
        this.lock = folder.resolve("pins.lock");
    }

    /// All pins, in the order of the file.
    ///
    /// @throws IOException with file and line when one cannot be read
    public List<Pin> all() throws IOException {
        List<String> lines = lines();
        List<Pin> pins = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            parse(lines.get(i), i + 1).ifPresent(pins::add);
        }
        return pins;
    }

    public Optional<Pin> find(Fingerprint fingerprint) throws IOException {
        return all().stream()
                .filter(pin -> pin.fingerprint().equals(fingerprint))
                .findFirst();
    }

    /// Trusts a certificate, or gives it another name.
    ///
    /// @param name for people; may be empty
    /// @return false when it was trusted under this name already
    public boolean add(Fingerprint fingerprint, String name) throws IOException {
        Pin pin = new Pin(fingerprint, name);
        return change(lines -> {
            Optional<Pin> old = find(fingerprint);
            if (old.isPresent()) {
                if (old.get().equals(pin)) {
                    return false;
                }
                lines.replaceAll(line -> is(line, fingerprint) ? pin.line() : line);
            } else {
                lines.add(pin.line());
            }
            return true;
        });
    }

    /// Trusts a certificate no more.
    ///
    /// @return false when it was not trusted
    public boolean remove(Fingerprint fingerprint) throws IOException {
        return change(lines -> lines.removeIf(line -> is(line, fingerprint)));
    }

    private boolean change(Edit edit) throws IOException {
        StateFiles.makeFolder(file.toAbsolutePath().getParent());
        boolean[] changed = new boolean[1];
        StateFiles.locked(lock, () -> {
            List<String> lines = new ArrayList<>(lines());
            changed[0] = edit.apply(lines);
            if (changed[0]) {
                String text = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
                StateFiles.write(file, text.getBytes(UTF_8));
            }
        });
        return changed[0];
    }

    private List<String> lines() throws IOException {
        try {
            return new String(StateFiles.read(file, LARGEST), UTF_8).lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private Optional<Pin> parse(String line, int number) throws IOException {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        String[] words = text.split("\\s+", 2);
        try {
            return Optional.of(new Pin(Fingerprint.parse(words[0]), words.length > 1 ? words[1] : ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private static boolean is(String line, Fingerprint fingerprint) {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return false;
        }
        try {
            return Fingerprint.parse(text.split("\\s+", 2)[0]).equals(fingerprint);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// A trusted certificate and what people call it.
    public record Pin(Fingerprint fingerprint, String name) {
        public Pin {
            name = name.strip();
            if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        "a name has at most " + LONGEST_NAME + " letters, and no line breaks or other controls");
            }
        }

        String line() {
            return name.isEmpty() ? fingerprint.text() : fingerprint.text() + " " + name;
        }
    }

    /// Changes the lines; says whether it did.
    @FunctionalInterface
    private interface Edit {
        boolean apply(List<String> lines) throws IOException;
    }
}
