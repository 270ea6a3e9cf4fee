package io.github.lucenedirectories.mmap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;

/**
 * Keeps the number of mappings below what the kernel allows a process, which at that number would
 * refuse memory to the JVM itself. All methods may be called from any thread.
 */
final class MappingCount {

  /** The mappings of this process that its directories make. */
  static final MappingCount OF_PROCESS =
      new MappingCount(allowed(Path.of("/proc/sys/vm/max_map_count")));

  /** From half of the allowed number on, a file shorter than this is not mapped. */
  static final long SMALL_BYTES = 1L << 20;

  private static final long LINUX_DEFAULT = 65_530;
  private static final int MOST_DIGITS = 32;

  private static final Logger LOG = Logger.getLogger(MappingCount.class.getName());

  /** Which files may be mapped. */
  enum Room {
    /** All. */
    FOR_ALL,
    /** Those of {@link #SMALL_BYTES} and more. */
    FOR_LARGE_FILES,
    /** None. */
    NONE
  }

  private final long allowed;
  private final AtomicLong live = new AtomicLong();
  private final AtomicBoolean warned = new AtomicBoolean();

  MappingCount(long allowed) {
    this.allowed = allowed;
  }

  static long allowed(Path setting) {
    try (InputStream in = Files.newInputStream(setting)) {
      // In one read: the kernel has nothing to say to the second.
      byte[] digits = new byte[MOST_DIGITS];
      int length = in.read(digits);
      return Long.parseLong(
          new String(digits, 0, Math.max(0, length), StandardCharsets.US_ASCII).strip());
    } catch (IOException | NumberFormatException _) {
      // Not Linux, or hidden.
      return LINUX_DEFAULT;
    }
  }

  /** Which files may be mapped now; warns once when there are none. */
  Room room() {
    long count = live.get();
    if (count < allowed / 2) {
      return Room.FOR_ALL;
    }
    if (count < allowed / 4 * 3) {
      return Room.FOR_LARGE_FILES;
    }
    if (!warned.getAndSet(true)) {
      LOG.warning(
          "three quarters of the mappings that the system allows this process are in use: files are"
              + " read by positions from now on, which is slower. Close readers, or raise the limit:"
              + " sysctl vm.max_map_count="
              + 4 * allowed
              + "; mappings="
              + count
              + ", vm.max_map_count="
              + allowed);
    }
    return Room.NONE;
  }

  /** Notes that mappings were made, or split off by advice for a part, or are gone. */
  void add(long mappings) {
    live.addAndGet(mappings);
  }

  /** How many there are. */
  long live() {
    return live.get();
  }
}
