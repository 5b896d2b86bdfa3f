package postroad.app.transfer;

import java.io.InputStream;

/// Lines to import, with the name that messages call them by.
public record Source(String name, InputStream in) {}
