package postroad.lab.folders;

import java.nio.file.Path;

/// Where trees lie.
///
/// @param word how the table calls it
public record Ground(String word, Path folder) {}
