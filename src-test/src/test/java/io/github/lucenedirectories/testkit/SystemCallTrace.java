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
    String why;
    try {
      int status =
          JavaCommand.run(
              traced(folder, List.of("true")), folder.resolve("output"), PATIENCE_SECONDS);
      if (status == 0) {
        return true;
      }
      why = "strace does not trace here (status " + status + ")";
    } catch (IOException _) {
      why = "no strace here";
    }
    Logger.getLogger(SystemCallTrace.class.getName()).warning("LEFT OUT: " + leftOut + ": " + why);
    return false;
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
    return trace(folder, traced(folder, command));
  }

  /**
   * As {@link #of}, while reads of a file fail.
   *
   * @param file that cannot be read
   * @param failing which reads fail, counted for each thread, as {@code strace} takes it: {@code 3}
   *     for the third, {@code 1+} for all
   * @return the calls that read the file
   */
  public static List<String> failing(Path folder, Path file, String failing, List<String> command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("strace", "-f", "-qq", "-P", file.toString()));
    all.addAll(List.of("-o", folder.resolve("trace").toString(), "-e", "trace=pread64"));
    all.addAll(List.of("-e", "inject=pread64:error=EIO:when=" + failing));
    // The system's message in English.
    all.addAll(List.of("env", "LC_ALL=C"));
    all.addAll(command);
    return trace(folder, all);
  }

  private static List<String> trace(Path folder, List<String> traced)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    int status = JavaCommand.run(traced, output, PATIENCE_SECONDS);
    if (status != 0) {
      throw new AssertionError("status " + status + ": " + Files.readString(output));
    }
    return Files.readAllLines(folder.resolve("trace"));
  }

  private static List<String> traced(Path folder, List<String> command) {
    List<String> all = new ArrayList<>(List.of("strace", "-f", "-y", "--seccomp-bpf", "-qq"));
    all.addAll(List.of("-o", folder.resolve("trace").toString(), "-e", "trace=%file,%desc"));
    all.addAll(command);
    return all;
  }
}
