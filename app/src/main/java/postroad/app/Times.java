package postroad.app;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;

/// Reads points in time as people write them: seconds since 1970, `2026-01-31`, `2026-01-31T12:00:00Z`, or how long
/// ago: `90s`, `30m`, `12h`, `7d`, `2w`.
final class Times {
    private static final Map<String, Long> UNITS = Map.of("s", 1L, "m", 60L, "h", 3600L, "d", 86_400L, "w", 604_800L);

    private Times() {}

    /// The time in seconds since 1970.
    ///
    /// @param option the option's name, for the message
    static long parse(String option, String text, long now) {
        if (text.matches("[0-9]{1,15}")) {
            return Long.parseLong(text);
        }
        if (text.matches("[0-9]{1,9}[smhdw]")) {
            int end = text.length() - 1;
            return now - Long.parseLong(text.substring(0, end)) * UNITS.get(text.substring(end));
        }
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toEpochSecond()
                    : OffsetDateTime.parse(text).toEpochSecond();
        } catch (DateTimeException e) {
            throw new UsageException("--" + option + " must be seconds since 1970, a date such as 2026-01-31,"
                    + " a time such as 2026-01-31T12:00:00Z, or how long ago, such as 7d; not " + text);
        }
    }
}
