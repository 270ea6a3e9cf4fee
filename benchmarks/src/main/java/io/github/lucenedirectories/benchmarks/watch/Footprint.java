package io.github.lucenedirectories.benchmarks.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a process takes at one moment. A figure is null if the system does not tell.
 *
 * @param residentBytes of memory, mapped files included
 * @param anonymousBytes of these, what no file is behind: heap, stacks, what is off the heap
 * @param mappings lines in {@code /proc/self/maps}; {@code vm.max_map_count} bounds them
 */
public record Footprint(
    @Nullable Long residentBytes, @Nullable Long anonymousBytes, @Nullable Long mappings) {
  private static final Path SELF = Path.of("/proc/self");
  private static final int KIBIBYTE = 1024;

  /** This process's. */
  public static Footprint now() {
    return in(SELF);
  }

  /** That in a process's folder in {@code /proc}. */
  static Footprint in(Path folder) {
    Path status = folder.resolve("status");
    return new Footprint(
        bytes(status, "VmRSS:"), bytes(status, "RssAnon:"), count(folder.resolve("maps")));
  }

  private static @Nullable Long bytes(Path status, String name) {
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).replace("kB", "").strip())
          .map(number -> Long.valueOf(Long.parseLong(number) * KIBIBYTE))
          .findFirst()
          .orElse(null);
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  private static @Nullable Long count(Path maps) {
    try (Stream<String> lines = Files.lines(maps)) {
      return lines.count();
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }
}
