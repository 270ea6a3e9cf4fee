// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The pages of an index's files in the page cache. A page counts against the group that read it
 * first, so what another process has left there would be memory without limit: it goes before each
 * measurement.
 */
public final class IndexPages {
  private static final Path DROP_ALL = Path.of("/proc/sys/vm/drop_caches");
  private static final int TRIES = 20;
  private static final long PAUSE_NANOS = 50_000_000;
  private static final long PAGE = 4096;

  /* Pages that the kernel has a use for at the moment cannot go; so few change nothing. */
  private static final int MOST_LEFT_SHARE = 1000;

  private final Path index;

  public IndexPages(Path index) {
    this.index = index;
  }

  /** Takes them out of the page cache, after what is unwritten has been written. */
  public void drop() throws IOException {
    List<Path> files = files();
    long bytes = 0;
    for (Path file : files) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        channel.force(false);
        bytes += channel.size();
      }
    }
    long left = Long.MAX_VALUE;
    for (int tried = 0; tried < TRIES; tried++) {
      advise(files);
      if (tried > TRIES / 2 && Files.isWritable(DROP_ALL)) {
        Files.writeString(DROP_ALL, "1", StandardOpenOption.WRITE);
      }
      left = residentBytes(files);
      if (left <= bytes / MOST_LEFT_SHARE) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new RunFailedException(
        Numbers.bytes(left)
            + " of the index stay in the page cache: end what else reads "
            + index
            + "; it must be on a disk, not on tmpfs, and its files this user's");
  }

  public long residentBytes() throws IOException {
    return residentBytes(files());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(index)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  /** Of whole files: coreutils' dd with this flag gives POSIX_FADV_DONTNEED for all bytes. */
  private static void advise(List<Path> files) throws IOException {
    for (Path file : files) {
      Process dd =
          new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
              .redirectErrorStream(true)
              .start();
      String said = String.join(" ", dd.inputReader().readAllLines());
      if (dd.onExit().join().exitValue() != 0) {
        throw new RunFailedException(
            "cannot take files out of the page cache with coreutils' dd: " + said);
      }
    }
  }

  private static long residentBytes(List<Path> files) throws IOException {
    long resident = 0;
    for (Path file : files) {
      try (Arena arena = Arena.ofConfined();
          FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        for (long at = 0; at < mapped.byteSize(); at += PAGE) {
          long length = Math.min(PAGE, mapped.byteSize() - at);
          resident += mapped.asSlice(at, length).isLoaded() ? length : 0;
        }
      }
    }
    return resident;
  }
}
