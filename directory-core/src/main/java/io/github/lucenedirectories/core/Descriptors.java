package io.github.lucenedirectories.core;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files this process may open. */
public final class Descriptors {

  private Descriptors() {}

  /**
   * Whether more than half of the file descriptors are in use that the system allows this process
   * ({@code ulimit -n}); false where that cannot be known. Takes time in proportion to their
   * number.
   */
  public static boolean areFew() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && system.getOpenFileDescriptorCount() > system.getMaxFileDescriptorCount() / 2;
  }
}
