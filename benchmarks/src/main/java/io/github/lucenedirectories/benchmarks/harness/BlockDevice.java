package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The device that a file is on, as far as the system tells.
 *
 * @param folder of the device, or of the partition, in {@code /sys}
 */
public record BlockDevice(Path folder) {

  public static BlockDevice of(Path file) {
    return of(Path.of("/"), file);
  }

  static BlockDevice of(Path root, Path file) {
    Path devices = root.resolve("sys/dev/block");
    try {
      long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
      // The bits of major and minor numbers as glibc lays them out.
      long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
      long minor = (device & 0xff) | ((device >>> 12) & 0xffffff00L);
      return new BlockDevice(devices.resolve(major + ":" + minor));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return new BlockDevice(devices.resolve("unknown"));
    }
  }

  /** Has the read-ahead in KiB; that of a partition is its disk's. */
  Optional<Path> readAheadFile() {
    // The folder is a link, which the system follows before it looks for the parent.
    return Stream.of(folder.resolve("queue"), folder.resolve("../queue"))
        .map(queue -> queue.resolve("read_ahead_kb"))
        .filter(Files::isReadable)
        .findFirst();
  }

  /**
   * How much the system reads from the device at once, at most, when it reads ahead, in KiB; empty
   * where the system does not tell. A mapping without advice reads that much around each page it
   * misses: with little memory nothing matters more.
   */
  public OptionalLong readAheadKibibytes() {
    return readAheadFile().map(BlockDevice::firstNumber).orElse(OptionalLong.empty());
  }

  /** The reads that the device has completed, for all processes; empty where it does not tell. */
  public OptionalLong reads() {
    return firstNumber(folder.resolve("stat"));
  }

  private static OptionalLong firstNumber(Path file) {
    try {
      return OptionalLong.of(Long.parseLong(Files.readString(file).strip().split("\\s+", -1)[0]));
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
