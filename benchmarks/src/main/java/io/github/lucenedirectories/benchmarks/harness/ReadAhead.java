package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option that says how much the system reads ahead from the index's device during a run.
 * Closing it restores what was there before. Any thread may close it, more than once.
 */
public final class ReadAhead implements Closeable {
  private static final String KEEP = "keep";
  private static final OpenOption[] EXISTING = {
    StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING
  };

  @Option(
      names = "--read-ahead",
      paramLabel = "KIB",
      description =
          "read-ahead of the index's device during the run, in KiB, or keep to leave it as it is;"
              + " restored afterwards (default: 128, that of Linux)")
  String wanted = "128";

  private @Nullable Path changed;
  private String before = "";
  private boolean closed;
  private OptionalLong inForce = OptionalLong.empty();

  public void check() {
    RunOptions.refuse(
        !wanted.equals(KEEP) && !wanted.matches("\\d{1,7}"),
        "--read-ahead must be a number of KiB such as 128, or keep: '" + wanted + "'");
  }

  /**
   * Sets the read-ahead where that is allowed, until the workspace is closed. Says on the output if
   * it is not as wanted.
   *
   * @param out null to say nothing
   */
  public void set(Workspace workspace, BlockDevice device, @Nullable PrintWriter out)
      throws IOException {
    if (!wanted.equals(KEEP) && device.readAheadFile().isPresent()) {
      workspace.alsoClose(this);
      write(device.readAheadFile().get());
    }
    inForce = device.readAheadKibibytes();
    if (out != null && !isAsWanted()) {
      out.println("The device reads ahead " + text() + ".");
    }
  }

  private synchronized void write(Path file) {
    try {
      before = Files.readString(file).strip();
      if (!closed && !before.equals(wanted)) {
        Files.writeString(file, wanted, EXISTING);
        changed = file;
      }
    } catch (IOException e) {
      // Not allowed: the report says what is in force.
    }
  }

  private boolean isAsWanted() {
    return wanted.equals(KEEP) || inForce.equals(OptionalLong.of(Long.parseLong(wanted)));
  }

  /** What is in force; empty where the system does not tell. */
  public OptionalLong kibibytes() {
    return inForce;
  }

  /** What is in force, and what it is not. */
  public String text() {
    String found = inForce.isPresent() ? inForce.getAsLong() + " KiB at most" : "an unknown amount";
    return isAsWanted()
        ? found
        : Numbers.text("%s, since it cannot be set to %s KiB here", found, wanted);
  }

  /** What a title ends with: nothing unless another read-ahead is in force than was wanted. */
  public String warning() {
    return isAsWanted() ? "" : ": the device reads ahead " + text();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    Path file = changed;
    if (file != null) {
      Files.writeString(file, before, EXISTING);
      changed = null;
    }
  }
}
