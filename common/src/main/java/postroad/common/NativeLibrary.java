package postroad.common;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// A C library that comes inside a jar or with the system, and the functions bound from it.
///
/// A jar's file is unpacked to a private temporary file, loaded, and deleted again: the mapping outlives the name, and
/// no later start can be handed a file that somebody else put there.
public final class NativeLibrary {
    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /// Loads `name` from the first of these that exists: the file named by the system property
    /// `postroad.lib.<name>`, the class-path `resources`, the system's own `sonames`.
    ///
    /// @throws NativeLibraryMissing when none loads, with each attempt's reason
    public static NativeLibrary load(String name, List<String> resources, List<String> sonames) {
        StringBuilder tried = new StringBuilder();
        String chosen = System.getProperty("postroad.lib." + name);
        if (chosen != null) {
            return named(name, chosen);
        }
        for (String resource : resources) {
            try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
                if (in != null) {
                    return new NativeLibrary(name, unpacked(name, in));
                }
                tried.append("\n  ").append(resource).append(" is not on the class path");
            } catch (IOException | IllegalArgumentException e) {
                tried.append("\n  ").append(resource).append(": ").append(e.getMessage());
            }
        }
        for (String soname : sonames) {
            try {
                return new NativeLibrary(name, SymbolLookup.libraryLookup(soname, Arena.global()));
            } catch (IllegalArgumentException e) {
                tried.append("\n  ").append(soname).append(" is not installed");
            }
        }
        throw new NativeLibraryMissing("the native library " + name + " is not there for " + platform()
                + "; install it from the system's packages, or name its file with -Dpostroad.lib." + name + "=FILE."
                + " Tried:" + tried);
    }

    private static NativeLibrary named(String name, String file) {
        try {
            return new NativeLibrary(name, SymbolLookup.libraryLookup(Path.of(file), Arena.global()));
        } catch (IllegalArgumentException e) {
            throw new NativeLibraryMissing("the native library " + name + " cannot be loaded from " + file
                    + ", which -Dpostroad.lib." + name + " names: there is no such file, or it is no library for "
                    + platform() + " (" + e.getMessage() + ")");
        }
    }

    /// This machine as `os-arch`, in the words the jars use: `linux-x86_64`, `linux-aarch64`, `darwin-aarch64`, …
    public static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String family = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : os.replace(' ', '-');
        return family + "-" + (arch.equals("amd64") ? "x86_64" : arch);
    }

    /// Binds a function.
    ///
    /// @throws NativeLibraryMissing if the library has no such symbol
    public MethodHandle function(String symbol, FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker()
                .downcallHandle(
                        symbols.find(symbol)
                                .orElseThrow(() -> new NativeLibraryMissing(
                                        "the native library " + name + " has no function " + symbol)),
                        type,
                        options);
    }

    private static SymbolLookup unpacked(String name, InputStream in) throws IOException {
        Path file = Files.createTempFile("postroad-" + name + "-", ".so");
        try {
            try (var out = Files.newOutputStream(file)) {
                in.transferTo(out);
            }
            return SymbolLookup.libraryLookup(file, Arena.global());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// A native part that this machine lacks; the message names it and the remedy.
    public static final class NativeLibraryMissing extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        NativeLibraryMissing(String message) {
            super(message, new IOException(message));
        }
    }
}
