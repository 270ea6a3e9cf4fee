package io.github.lucenedirectories.benchmarks.micro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How much of this process's memory lies in huge pages, as Linux counts it. */
final class AnonymousHugePages {
  private static final Path FACTS = Path.of("/proc/self/smaps_rollup");
  private static final Pattern LINE = Pattern.compile("AnonHugePages:\\s+(\\d+) kB");

  private AnonymousHugePages() {}

  /** The bytes now; 0 where the system does not say. */
  static long bytes() throws IOException {
    try (Stream<String> lines = Files.lines(FACTS)) {
      return lines
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .mapToLong(line -> Long.parseLong(line.group(1)) << 10)
          .sum();
    } catch (NoSuchFileException _) {
      return 0;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
