package postroad.app.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds what somebody may have meant who mistyped a word.
public final class Suggestion {
    private Suggestion() {}

    /// The known word closest to `word`, if one is close: by few changed letters, or as its beginning or ending.
    public static Optional<String> closest(String word, Collection<String> known) {
        int most = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= most
                        || word.length() >= 3 && (candidate.startsWith(word) || candidate.endsWith(word)))
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /// How many letters must be added, dropped, changed, or swapped with their neighbour.
    static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, from, to, i, j);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int step(int[][] cost, String from, String to, int i, int j) {
        int same = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j - 1] + same, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
