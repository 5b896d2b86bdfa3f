package postroad.lab.floor;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What was to be reached, and what was.
final class Goals {
    private final List<Goal> goals = new ArrayList<>();

    private record Goal(String measure, String goal, String here, boolean met) {}

    /// A figure that has to be `most` or less; left out when it was not measured.
    void atMost(String measure, double most, String unit, Optional<Double> here) {
        here.ifPresent(value ->
                goals.add(new Goal(measure, "at most " + number(most) + unit, number(value) + unit, value <= most)));
    }

    /// A figure that has to be `least` or more; left out when it was not measured.
    void atLeast(String measure, double least, String unit, Optional<Double> here) {
        here.ifPresent(value ->
                goals.add(new Goal(measure, "at least " + number(least) + unit, number(value) + unit, value >= least)));
    }

    /// How many are met, of how many.
    String count() {
        return goals.stream().filter(Goal::met).count() + " of " + goals.size();
    }

    /// The measures that are not met.
    List<String> missed() {
        return goals.stream().filter(goal -> !goal.met).map(Goal::measure).toList();
    }

    void print(PrintStream out) {
        int width = goals.stream().mapToInt(goal -> goal.measure.length()).max().orElse(0);
        out.println();
        out.println("Goals");
        for (Goal goal : goals) {
            out.printf(
                    Locale.ROOT,
                    "%-" + width + "s  %-20s  %-12s  %s%n",
                    goal.measure,
                    goal.goal,
                    goal.here,
                    goal.met ? "met" : "not met");
        }
    }

    List<Map<String, Object>> json() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Goal goal : goals) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("measure", goal.measure);
            one.put("goal", goal.goal);
            one.put("here", goal.here);
            one.put("met", goal.met);
            all.add(one);
        }
        return all;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.3g" : "%.0f", value);
    }
}
