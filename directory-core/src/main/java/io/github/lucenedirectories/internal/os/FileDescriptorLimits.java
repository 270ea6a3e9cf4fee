package io.github.lucenedirectories.internal.os;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The limit on the files that this process may open. */
public final class FileDescriptorLimits {

  private FileDescriptorLimits() {}

  /**
   * Whether this library holds more than a quarter of the file descriptors that the system allows
   * this process ({@code ulimit -n}); false where the limit is unknown. Takes constant time: it
   * ignores descriptors of other code, which only a listing of all could count.
   */
  public static boolean areFew() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && LiveResource.DESCRIPTORS.amount() > system.getMaxFileDescriptorCount() / 4;
  }
}
