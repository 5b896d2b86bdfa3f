package postroad.app.control;

import java.util.ArrayList;
import java.util.List;

/// A command to a node: a verb, and named values, of which a name may have several.
record Request(String verb, List<Value> values) {
    static final int VERSION = 1;

    private static final String GREETING = "postroad-control";

    record Value(String name, String text) {}

    Request {
        values = List.copyOf(values);
    }

    Frame toFrame() {
        List<String> lines = new ArrayList<>();
        lines.add(GREETING + " " + VERSION + " " + verb);
        values.forEach(value -> lines.add(value.name() + "\t" + value.text()));
        return Frame.of(Frame.REQUEST, lines);
    }

    /// Reads a command.
    ///
    /// @throws ControlException if it is none, or of another version
    static Request of(Frame frame) throws ControlException {
        List<String> lines = frame.lines();
        String[] greeting = lines.getFirst().split(" ", -1);
        if (frame.type() != Frame.REQUEST || greeting.length != 3 || !greeting[0].equals(GREETING)) {
            throw new ControlException("this is a postroad node's control socket, and that was no command");
        }
        if (!greeting[1].equals(Integer.toString(VERSION))) {
            throw new ControlException("the node speaks version " + VERSION + " of the control protocol, the command "
                    + greeting[1] + "; use the build that the node runs");
        }
        List<Value> values = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            int tab = line.indexOf('\t');
            if (tab < 0) {
                throw new ControlException("a line of the command has no value: " + line);
            }
            values.add(new Value(line.substring(0, tab), line.substring(tab + 1)));
        }
        return new Request(greeting[2], values);
    }

    List<String> all(String name) {
        return values.stream()
                .filter(value -> value.name().equals(name))
                .map(Value::text)
                .toList();
    }

    String one(String name) throws ControlException {
        List<String> found = all(name);
        if (found.size() != 1) {
            throw new ControlException("the command needs one " + name);
        }
        return found.getFirst();
    }
}
