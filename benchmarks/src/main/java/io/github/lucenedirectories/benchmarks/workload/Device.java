package io.github.lucenedirectories.benchmarks.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The device that a file lies on, as far as Linux tells. */
public final class Device {
  private static final Path READ_AHEAD = Path.of("/sys/class/bdi");
  private static final Path BLOCK = Path.of("/sys/dev/block");
  private static final String ROTATIONAL = "queue/rotational";

  private Device() {}

  /**
   * How much the system reads from it at once, at most, when it reads ahead, in KiB; empty where
   * the system does not tell. A mapping without advice reads that much around each page it misses:
   * with little memory nothing matters more.
   */
  public static OptionalLong readAheadKibibytes(Path file) {
    try {
      Path setting = READ_AHEAD.resolve(number(file)).resolve("read_ahead_kb");
      return OptionalLong.of(Long.parseLong(Files.readString(setting).strip()));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /** Its name, and whether it says that it turns; empty for a file system without a device. */
  public static Optional<String> describe(Path file) {
    try {
      Path device = BLOCK.resolve(number(file)).toRealPath();
      // A partition has no queue of its own.
      Path own = device.resolve(ROTATIONAL);
      Path turns = Files.exists(own) ? own : device.resolveSibling(ROTATIONAL);
      boolean rotating = Files.readString(turns).strip().equals("1");
      return Optional.of(
          device.getFileName() + (rotating ? ", which says that it rotates" : ", not rotating"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String number(Path file) throws IOException {
    long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
    // The bits of major and minor numbers as glibc lays them out.
    long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    long minor = (device & 0xff) | ((device >>> 12) & 0xffffff00L);
    return major + ":" + minor;
  }
}
