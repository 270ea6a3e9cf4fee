// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this process has read since it started.
 *
 * @param deviceBytes bytes that the system read from devices for the process, including mapped
 *     files, read-ahead and read-around
 */
public record ProcessIoCounters(long deviceBytes) {

  private static final Path IO_FACTS = Path.of("/proc/self/io");

  /** The counters up to now; empty if the system does not report them. Linux does. */
  public static Optional<ProcessIoCounters> now() {
    OptionalLong bytes = ProcFs.number(IO_FACTS, "read_bytes:");
    return bytes.isPresent()
        ? Optional.of(new ProcessIoCounters(bytes.getAsLong()))
        : Optional.empty();
  }

  public ProcessIoCounters since(ProcessIoCounters earlier) {
    return new ProcessIoCounters(deviceBytes - earlier.deviceBytes);
  }
}
