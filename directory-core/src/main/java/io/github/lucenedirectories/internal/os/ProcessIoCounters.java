// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bytes that this process has read through the page cache since it started.
 *
 * @param askedBytes bytes requested by system calls, whether cached or not, including sockets and
 *     pipes
 * @param deviceBytes bytes that the system read from devices for the process, including mapped
 *     files, read-ahead and read-around
 */
public record ProcessIoCounters(long askedBytes, long deviceBytes) {

  private static final Path IO_FACTS = Path.of("/proc/self/io");
  private static final String BY_CALLS = "rchar:";
  private static final String FROM_DEVICES = "read_bytes:";

  /** The counters up to now; empty if the system does not report them. Linux does. */
  public static Optional<ProcessIoCounters> now() {
    List<String> facts = ProcFs.lines(IO_FACTS);
    OptionalLong asked = ProcFs.number(facts, BY_CALLS);
    OptionalLong device = ProcFs.number(facts, FROM_DEVICES);
    return asked.isPresent() && device.isPresent()
        ? Optional.of(new ProcessIoCounters(asked.getAsLong(), device.getAsLong()))
        : Optional.empty();
  }

  public ProcessIoCounters since(ProcessIoCounters earlier) {
    return new ProcessIoCounters(
        askedBytes - earlier.askedBytes, deviceBytes - earlier.deviceBytes);
  }
}
