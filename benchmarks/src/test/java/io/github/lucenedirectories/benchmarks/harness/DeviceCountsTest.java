// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceCountsTest {
  private static final int WRITES = 100;
  private static final int BLOCK = 4096;

  @TempDir private Path folder;

  /** Others may write meanwhile, but hardly each time. */
  @Test
  void everyWriteThatWaitsForTheDeviceIsCounted() throws IOException {
    assumeTrue(DeviceCounts.of(folder) != null, "the kernel does not tell of this file system");
    Path file = folder.resolve("synced");
    Files.write(file, new byte[BLOCK]);
    DeviceCounts least = new DeviceCounts(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    for (int i = 0; i < 10; i++) {
      DeviceCounts.settle(folder);
      DeviceCounts before = DeviceCounts.of(folder);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
        for (int j = 0; j < WRITES; j++) {
          channel.write(ByteBuffer.allocate(BLOCK), 0);
        }
      }
      DeviceCounts counts =
          Objects.requireNonNull(DeviceCounts.between(before, DeviceCounts.of(folder)));
      assertTrue(counts.writes() >= WRITES, counts::toString);
      assertTrue(counts.writtenBytes() >= WRITES * BLOCK, counts::toString);
      least = counts.writes() < least.writes() ? counts : least;
    }
    // A flush is a request as well. There are none on a disk without a cache of its own.
    String found = least.toString();
    long data = least.writes() - least.flushes();
    assertTrue(data >= WRITES && data < 1.5 * WRITES, found);
    assertTrue(least.writtenBytes() < 1.5 * WRITES * BLOCK, found);
    assertTrue(least.flushes() == 0 || least.flushes() >= WRITES, found);
  }

  @Test
  void aPartitionHasTheCountsOfItsDisk() throws IOException {
    Path disk = Files.createDirectories(folder.resolve("sys/devices/vda"));
    Files.writeString(disk.resolve("stat"), " 1 2 3 4 50 6 70 8 9 10 11 12 13 14 15 160 17\n");
    Path part = Files.createDirectories(disk.resolve("vda1"));
    Files.writeString(part.resolve("stat"), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 0\n");
    Path devices = Files.createDirectories(folder.resolve("dev"));
    assertNull(DeviceCounts.of(folder, devices));
    Files.createSymbolicLink(devices.resolve(DeviceReadAhead.numbers(folder)), part);
    assertEquals(new DeviceCounts(5, 7 * 512, 0), DeviceCounts.of(folder, devices));
    Files.writeString(part.resolve("partition"), "1\n");
    DeviceCounts counts = Objects.requireNonNull(DeviceCounts.of(folder, devices));
    assertEquals(new DeviceCounts(50, 70 * 512, 160), counts);
    assertEquals(
        new DeviceCounts(0, 0, 0), DeviceCounts.between(counts, DeviceCounts.of(folder, devices)));
    assertNull(DeviceCounts.between(null, counts));
    // As before Linux 5.5.
    Files.writeString(disk.resolve("stat"), "1 2 3 4 50 6 70 8 9 10 11 12 13 14 15\n");
    assertNull(DeviceCounts.of(folder, devices));
  }
}
