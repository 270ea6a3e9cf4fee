// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How much memory this process may use outside the Java heap. */
public final class AvailableMemory {

  private static final long LEAST_BYTES = 1L << 26;
  private static final Path MEMORY_FACTS = Path.of("/proc/meminfo");
  private static final Path OWN_FACTS = Path.of("/proc/self/status");
  private static final String TOTAL = "MemTotal:";
  private static final String AVAILABLE = "MemAvailable:";
  private static final String ANONYMOUS = "RssAnon:";

  private AvailableMemory() {}

  /**
   * The default limit, in bytes, for files in memory: the memory of the machine or, if smaller, of
   * the container, minus the maximum Java heap and an eighth for everything else; at least 64 MiB.
   * A container's limit is the smallest among its control group (version 1 or 2) and the groups
   * above, as far as it can see them.
   */
  public static long defaultMaxBytes() {
    return maxBytes(totalBytes(), Runtime.getRuntime().maxMemory());
  }

  /**
   * How many bytes the page cache can currently hold for this process: the memory of the machine or
   * container, as for {@link #defaultMaxBytes}, minus the maximum Java heap, this library's files
   * in memory, and what the process takes beside these (compiled code, threads, other native
   * memory), for which a sixteenth is left at least; at most the memory that Linux reports as
   * available.
   */
  public static long pageCacheBytes() {
    Runtime runtime = Runtime.getRuntime();
    long heapToCome = runtime.maxMemory() - runtime.totalMemory();
    return pageCacheBytes(
        totalBytes(),
        availableOnMachine(MEMORY_FACTS),
        anonymousBytes(OWN_FACTS),
        runtime.totalMemory() + LiveResource.MEMORY_BYTES.amount(),
        heapToCome);
  }

  /**
   * How many bytes the page cache can take before the kernel has to evict any: what is free of the
   * machine and of the control groups, minus what the Java heap may still take. Not positive if
   * that is unknown.
   */
  public static long freeBytes() {
    Runtime runtime = Runtime.getRuntime();
    long onMachine = ProcFs.number(MEMORY_FACTS, "MemFree:").orElse(0) << 10;
    return Math.min(onMachine, Cgroup.ofProcess().freeBytes())
        - (runtime.maxMemory() - runtime.totalMemory());
  }

  /**
   * As above.
   *
   * @param anonymous what the process has of memory that is no file
   * @param known the heap and this library's files in memory, which are a part of it at most
   */
  static long pageCacheBytes(
      long total, long available, long anonymous, long known, long heapToCome) {
    long other = Math.max(total / 16, anonymous - known);
    return Math.max(0, Math.min(total - other - known, available) - heapToCome);
  }

  private static long totalBytes() {
    Cgroup group = Cgroup.ofProcess();
    OptionalLong machine = ProcFs.number(MEMORY_FACTS, TOTAL);
    if (group.isKnown() && machine.isPresent()) {
      return Math.min(machine.getAsLong() << 10, group.maxBytes());
    }
    // The JVM knows both on any system, but has to load a hundred classes to say so.
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Math.min(system.getTotalMemorySize(), group.maxBytes());
  }

  /** The bytes of memory that Linux could allocate now, including cached files. */
  static long availableOnMachine(Path facts) {
    // Without this figure, the container's limit must do.
    return ProcFs.number(facts, AVAILABLE).orElse(Long.MAX_VALUE >> 10) << 10;
  }

  /** The bytes that a process has of memory that is no file; 0 if unknown. */
  static long anonymousBytes(Path facts) {
    return ProcFs.number(facts, ANONYMOUS).orElse(0) << 10;
  }

  static long maxBytes(long totalBytes, long heapBytes) {
    return Math.max(LEAST_BYTES, totalBytes - totalBytes / 8 - heapBytes);
  }
}
