package postroad.app.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What this build calls itself.
public final class Version {
    private static final String RESOURCE = "/META-INF/maven/postroad/app/pom.properties";

    private Version() {}

    /// The version of the jar, or `dev` where the program runs from classes.
    public static String text() {
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                return "dev";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "dev");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
