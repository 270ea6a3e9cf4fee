// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel has written to a disk so far, for all processes: requests, their bytes, and
 * flushes of the disk's own cache.
 */
public record DeviceCounts(long writes, long writtenBytes, long flushes) {
  /* Places in a line of the kernel, which counts in sectors of this size whatever the device. */
  private static final int WRITES = 4;
  private static final int SECTORS = 6;
  private static final int FLUSHES = 15;
  private static final int SECTOR_BYTES = 512;

  /** Those of the disk that a file or folder is on; null where the kernel does not tell. */
  public static @Nullable DeviceCounts of(Path file) {
    return of(file, Path.of("/sys/dev/block"));
  }

  static @Nullable DeviceCounts of(Path file, Path devices) {
    try {
      Path device = devices.resolve(DeviceReadAhead.numbers(file));
      // A partition has no count of flushes. The system follows the link before the dots.
      Path disk = Files.exists(device.resolve("partition")) ? device.resolve("..") : device;
      String[] counts = Files.readString(disk.resolve("stat")).strip().split("\\s+", -1);
      return counts.length <= FLUSHES
          ? null
          : new DeviceCounts(
              Long.parseLong(counts[WRITES]),
              Long.parseLong(counts[SECTORS]) * SECTOR_BYTES,
              Long.parseLong(counts[FLUSHES]));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Those since earlier ones; null if either is. */
  public static @Nullable DeviceCounts between(
      @Nullable DeviceCounts earlier, @Nullable DeviceCounts now) {
    return earlier == null || now == null
        ? null
        : new DeviceCounts(
            now.writes - earlier.writes,
            now.writtenBytes - earlier.writtenBytes,
            now.flushes - earlier.flushes);
  }

  /** Waits until all that was written to the file system of a folder is on its disk. */
  public static void settle(Path folder) throws IOException {
    new ProcessBuilder("sync", "-f", folder.toString()).start().onExit().join();
  }
}
