package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Asks every relay every question once, and compares what they give: only then may times be compared.
final class CrossCheck {
    private final Map<Target, Map<String, List<Ask>>> asks = new LinkedHashMap<>();
    private final Map<String, String> differences = new TreeMap<>();
    private long rows;
    private long bytes;

    private CrossCheck() {}

    /// Compares the answers of all, as sets of ids, with those of the first.
    static CrossCheck run(List<Target> targets, Map<String, List<String>> questions) throws IOException {
        CrossCheck check = new CrossCheck();
        Map<String, List<Set<String>>> first = new LinkedHashMap<>();
        for (Target target : targets) {
            try (LeanClient client = LeanClient.open(target.address())) {
                Map<String, List<Ask>> own = new LinkedHashMap<>();
                for (Map.Entry<String, List<String>> row : questions.entrySet()) {
                    List<Set<String>> answers = new ArrayList<>();
                    own.put(row.getKey(), check.ask(client, row.getValue(), answers));
                    check.compare(row.getKey(), target, first.putIfAbsent(row.getKey(), answers), answers);
                }
                check.asks.put(target, own);
            }
        }
        return check;
    }

    /// The questions of a row, with the number of rows that this relay gives.
    List<Ask> asks(Target target, String row) {
        return asks.get(target).get(row);
    }

    /// The mean number of rows that this relay gives to a row's questions.
    long meanRows(Target target, String row) {
        return Math.round(
                asks(target, row).stream().mapToInt(Ask::rows).average().orElse(0));
    }

    /// The rows in which relays differ, and how.
    Map<String, String> differences() {
        return differences;
    }

    /// The mean bytes of an event's message, over all that was asked.
    int meanBytes() {
        return rows == 0 ? 0 : (int) (bytes / rows);
    }

    private List<Ask> ask(LeanClient client, List<String> filters, List<Set<String>> answers) throws IOException {
        List<Ask> row = new ArrayList<>();
        for (String filter : filters) {
            Ask ask = Ask.req(filter);
            Ask.Answer answer = ask.answer(client);
            rows += answer.ids().size();
            bytes += answer.bytes();
            answers.add(new HashSet<>(answer.ids()));
            row.add(ask.expecting(answer.ids().size()));
        }
        return row;
    }

    private void compare(String row, Target target, List<Set<String>> right, List<Set<String>> answers) {
        if (right == null) {
            return;
        }
        long different = 0;
        for (int i = 0; i < right.size(); i++) {
            different += right.get(i).equals(answers.get(i)) ? 0 : 1;
        }
        if (different > 0) {
            differences.merge(
                    row,
                    target.name() + " answers " + different + " of " + right.size() + " differently",
                    (a, b) -> a + ", " + b);
        }
    }
}
