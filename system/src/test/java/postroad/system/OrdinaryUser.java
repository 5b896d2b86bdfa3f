package postroad.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;

/// Whose processes show what permissions mean: the user who runs the tests, or nobody where that is root, to whom they
/// mean nothing.
final class OrdinaryUser {
    private static final String NOBODY = "65534";
    private static final String SOMEBODY_ELSE = "65533";
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    private OrdinaryUser() {}

    /// The command as this user runs it.
    static List<String> command(List<String> command) {
        return IS_ROOT ? as(NOBODY, command) : command;
    }

    /// The command as another ordinary user runs it; only root can have that.
    static List<String> another(List<String> command) {
        assumeTrue(IS_ROOT, "only root may run a program as another user");
        return as(SOMEBODY_ELSE, command);
    }

    /// The words for `chown`.
    static String name() {
        return IS_ROOT ? NOBODY + ":" + NOBODY : System.getProperty("user.name");
    }

    private static List<String> as(String user, List<String> command) {
        List<String> line =
                new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--"));
        line.addAll(command);
        return line;
    }
}
