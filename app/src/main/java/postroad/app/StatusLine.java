package postroad.app;

/// A line on standard error that is written over while a command works: on a terminal in place, elsewhere line by line.
/// Owned by whoever guards its calls.
final class StatusLine {
    private static final String ERASE = "\r\033[K";

    private final Console console;
    private boolean isOpen;

    StatusLine(Console console) {
        this.console = console;
    }

    /// Shows `text` in the place of what was shown before.
    void show(String text) {
        if (console.errIsTerminal()) {
            console.err().print(ERASE + text);
            console.err().flush();
            isOpen = true;
        } else {
            console.say(text);
        }
    }

    /// Clears the line, so that what follows begins on a fresh one.
    void clear() {
        if (isOpen) {
            console.err().print(ERASE);
            console.err().flush();
            isOpen = false;
        }
    }
}
