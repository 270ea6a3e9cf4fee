// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option that says how much the system reads ahead from the index's device during a run, and
 * what the system tells of a device. Closing it restores what was there before. Any thread may
 * close it, more than once.
 */
public final class DeviceReadAhead implements Closeable {
  /** How much the system reads at once, at most, in KiB: a mapping does around a page it misses. */
  private static final String SETTING = "queue/read_ahead_kb";

  private static final String KEEP = "keep";

  @Option(
      names = "--read-ahead",
      paramLabel = "KIB",
      description =
          "read-ahead of the index's device during the run, in KiB, or keep to leave it as it is;"
              + " restored afterwards (default: 128, that of Linux)")
  String wanted = "128";

  Path devices = Path.of("/sys/dev/block");

  private @Nullable Path changed;
  private String before = "";
  private boolean closed;
  private String inForce = "";
  private List<String> hints = List.of();

  public void check() {
    RunOptions.refuse(
        !wanted.equals(KEEP) && !wanted.matches("\\d{1,7}"),
        "--read-ahead must be a number of KiB such as 128, or keep: '" + wanted + "'");
  }

  /**
   * Sets the read-ahead of a file's device where that is allowed, until the workspace is closed.
   */
  public void set(Workspace workspace, Path file) throws IOException {
    if (!wanted.equals(KEEP)) {
      workspace.alsoClose(this);
      write(file);
    }
    Long found = number(file, SETTING);
    inForce = found == null ? "an unknown amount" : found + " KiB at most";
    if (!wanted.equals(KEEP) && (found == null || found != Long.parseLong(wanted))) {
      inForce += ", since it cannot be set to " + wanted + " KiB here";
      hints = List.of("The device reads ahead " + inForce + ".");
    }
  }

  private synchronized void write(Path file) {
    try {
      Path setting = find(file, SETTING);
      before = Files.readString(setting).strip();
      if (!closed && !before.equals(wanted)) {
        Files.writeString(setting, wanted);
        changed = setting;
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // Not allowed, or not known: the report says what is in force.
    }
  }

  /** What is in force, and what it is not. */
  public String inForce() {
    return inForce;
  }

  /** What readers of results have to know: nothing unless another read-ahead is in force. */
  public List<String> hints() {
    return hints;
  }

  /** The first number of a file that its device has; null where the system does not tell. */
  public @Nullable Long number(Path file, String name) {
    try {
      return Long.valueOf(Files.readString(find(file, name)).strip().split("\\s+", -1)[0]);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private Path find(Path file, String name) throws IOException {
    Path device = devices.resolve(numbers(file));
    // A partition lacks some that its disk has. The system follows the link before the dots.
    Path own = device.resolve(name);
    return Files.exists(own) ? own : device.resolve("..").resolve(name);
  }

  /** Major and minor numbers, from bits that are laid out as by glibc. */
  static String numbers(Path file) throws IOException {
    long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
    long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    return major + ":" + ((device & 0xff) | ((device >>> 12) & 0xffffff00L));
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (changed != null) {
      Files.writeString(changed, before);
      changed = null;
    }
  }
}
