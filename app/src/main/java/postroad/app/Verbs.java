package postroad.app;

import java.util.List;
import java.util.Optional;

/// All verbs by name. A verb's class is loaded only when it is asked for.
final class Verbs {
    /// The names, for suggestions.
    static final List<String> NAMES = List.of(
            "up",
            "import",
            "export",
            "backup",
            "info",
            "config",
            "send",
            "receive",
            "identity",
            "trust",
            "untrust",
            "req",
            "publish",
            "count",
            "key",
            "bench",
            "help");

    private Verbs() {}

    static Optional<Verb> find(String name) {
        return switch (name) {
            case "up" -> Optional.of(new UpVerb());
            case "import" -> Optional.of(new ImportVerb());
            case "export" -> Optional.of(new ExportVerb());
            case "backup" -> Optional.of(new BackupVerb());
            case "info" -> Optional.of(new InfoVerb());
            case "config" -> Optional.of(new ConfigVerb());
            case "send" -> Optional.of(new SendVerb());
            case "receive" -> Optional.of(new ReceiveVerb());
            case "identity" -> Optional.of(new IdentityVerb());
            case "trust" -> Optional.of(new TrustVerb());
            case "untrust" -> Optional.of(new UntrustVerb());
            case "req" -> Optional.of(new ReqVerb());
            case "publish" -> Optional.of(new PublishVerb());
            case "count" -> Optional.of(new CountVerb());
            case "key" -> Optional.of(new KeyVerb());
            case "bench" -> Optional.of(new BenchVerb());
            case "train" -> Optional.of(new TrainVerb());
            default -> Optional.empty();
        };
    }
}
