package io.github.lucenedirectories.core;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How much memory this process may use beside the Java heap. */
public final class AvailableMemory {

  private static final long LEAST_BYTES = 1L << 26;

  private AvailableMemory() {}

  /**
   * The default limit, in bytes, of what keeps files in memory: the memory of the machine or, if
   * smaller, of the container, less the largest Java heap and an eighth for everything else; at
   * least 64 MiB. The JVM finds the container's limit: the smallest among its control group (v1 or
   * v2) and the groups above.
   */
  public static long defaultLimitBytes() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return limitBytes(system.getTotalMemorySize(), Runtime.getRuntime().maxMemory());
  }

  static long limitBytes(long totalBytes, long heapBytes) {
    return Math.max(LEAST_BYTES, totalBytes - totalBytes / 8 - heapBytes);
  }
}
