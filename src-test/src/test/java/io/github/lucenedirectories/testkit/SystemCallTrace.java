// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;

/** The system calls of a process that have to do with files, as {@code strace} sees them. */
public final class SystemCallTrace {

  private static final long PATIENCE_SECONDS = 300;

  private SystemCallTrace() {}

  /**
   * Whether processes can be traced here; says loudly where they cannot.
   *
   * @param folder an empty one
   * @param leftOut what is not tested then
   */
  public static boolean works(Path folder, String leftOut) throws InterruptedException {
    try {
      of(folder, List.of("true"));
      return true;
    } catch (IOException | AssertionError e) {
      Logger.getLogger(SystemCallTrace.class.getName()).warning("LEFT OUT: " + leftOut + ": " + e);
      return false;
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param folder that takes the trace and the command's output
   * @return a line for each call of each thread, in the order of time: its number, the call; behind
   *     each descriptor is its file
   */
  public static List<String> of(Path folder, List<String> command)
      throws IOException, InterruptedException {
    return trace(folder, List.of("-y", "--seccomp-bpf", "-e", "trace=%file,%desc"), command);
  }

  /** As {@link #of}, of the reads of a file, while the third one of each thread fails. */
  public static List<String> failing(Path folder, Path file, List<String> command)
      throws IOException, InterruptedException {
    String inject = "inject=pread64:error=EIO:when=3";
    return trace(
        folder, List.of("-P", file.toString(), "-e", "trace=pread64", "-e", inject), command);
  }

  private static List<String> trace(Path folder, List<String> options, List<String> command)
      throws IOException, InterruptedException {
    Path trace = folder.resolve("trace");
    List<String> traced = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", trace.toString()));
    traced.addAll(options);
    // The system's messages in English.
    traced.addAll(List.of("env", "LC_ALL=C"));
    traced.addAll(command);
    Path output = folder.resolve("output");
    int status = JavaCommand.run(traced, output, PATIENCE_SECONDS);
    if (status != 0) {
      throw new AssertionError("status " + status + ": " + Files.readString(output));
    }
    return Files.readAllLines(trace);
  }
}
