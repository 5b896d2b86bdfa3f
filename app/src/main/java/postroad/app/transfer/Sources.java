package postroad.app.transfer;

import java.io.IOException;
import java.util.Optional;

/// What there is to import, one source after the other.
@FunctionalInterface
public interface Sources {
    /// The next source; the one before is used up by then. Empty at the end.
    Optional<Source> next() throws IOException;
}
