package io.github.lucenedirectories.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How much the system reads from a file's device at once, at most, when it reads ahead. A mapping
 * without advice reads that much around each page it misses: with little memory nothing matters
 * more.
 */
final class ReadAhead {
  private static final Path DEVICES = Path.of("/sys/class/bdi");

  private ReadAhead() {}

  /** In KiB; empty where the system does not tell. */
  static OptionalLong kibibytes(Path file) {
    try {
      long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
      // The bits of major and minor numbers as glibc lays them out.
      long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
      long minor = (device & 0xff) | ((device >>> 12) & 0xffffff00L);
      Path setting = DEVICES.resolve(major + ":" + minor).resolve("read_ahead_kb");
      return OptionalLong.of(Long.parseLong(Files.readString(setting).strip()));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }
}
