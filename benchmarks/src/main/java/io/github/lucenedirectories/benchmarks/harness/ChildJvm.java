package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JVM of its own that does one {@link ForkJob}, seen from the JVM that started it. Closing it
 * kills it if it still runs. For one thread.
 */
public final class ChildJvm implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /* By name: it knows all jobs, and is above this package. */
  private static final String MAIN = "io.github.lucenedirectories.benchmarks.ForkMain";

  private static final String FULL = "No space left on device";

  /* So long does this JVM wait for its own Ctrl-C before it takes a fork's end for a failure. */
  private static final long INTERRUPT_MILLIS = 500;

  private final Workspace workspace;
  private final String name;
  private final Path errors;
  private final Process process;
  private final BufferedReader out;

  private ChildJvm(Workspace workspace, String name, Path errors, Process process) {
    this.workspace = workspace;
    this.name = name;
    this.errors = errors;
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a fork.
   *
   * @param launcher a command that ends by becoming the one that its last arguments name
   */
  public static ChildJvm start(
      Workspace workspace, JvmFlags flags, ForkStart start, List<String> launcher)
      throws IOException {
    int number = COUNT.incrementAndGet();
    Path specFile = workspace.file("fork-" + number + ".json");
    Fork.MAPPER.writeValue(specFile.toFile(), start.spec());
    Path errors = workspace.file("fork-" + number + ".err");
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        flags.command(
            workspace, start.testFramework(), List.of(MAIN, start.job(), specFile.toString())));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    workspace.add(process);
    return new ChildJvm(workspace, start.name(), errors, process);
  }

  /**
   * Starts a fork, waits for its one event and for its end, and gives the event's data; throws as
   * {@link #await} does.
   */
  public static <T> T run(
      Workspace workspace, JvmFlags flags, ForkStart start, String event, Class<T> type)
      throws IOException {
    try (ChildJvm fork = start(workspace, flags, start, List.of())) {
      T data = fork.await(event, type);
      fork.finish();
      return data;
    }
  }

  /**
   * Waits for an event and gives its data; other events are dropped.
   *
   * @throws UsageException with the fork's own message if it refused its input
   * @throws RunFailedException if it ended before the event, with the error that it printed; the
   *     cause has all it printed
   */
  public <T> T await(String event, Class<T> type) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("{")) {
        Fork.Message message = Fork.MAPPER.readValue(line, Fork.Message.class);
        if (message.event().equals(event)) {
          return Fork.MAPPER.treeToValue(message.data(), type);
        }
      }
    }
    throw failure(exitStatus());
  }

  /** The number by which the system knows it. */
  public long pid() {
    return process.pid();
  }

  /** Says a word to the fork. */
  public void send(String word) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((word + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** Whether it has ended, well or not. */
  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** Waits for the fork's end; throws as {@link #await} does if it did not end well. */
  public void finish() throws IOException {
    int status = exitStatus();
    if (status != 0) {
      throw failure(status);
    }
  }

  private int exitStatus() throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the fork of " + name, e);
    }
  }

  private RuntimeException failure(int status) throws IOException {
    if (workspace.awaitInterrupt(INTERRUPT_MILLIS)) {
      // Ctrl-C reaches forks too. This JVM is going down and its hook cleans up: say nothing.
      process.onExit().join();
      sleepUntilTheEnd();
    }
    List<String> lines = Files.readAllLines(errors);
    if (status == UsageException.EXIT_STATUS && !lines.isEmpty()) {
      return new UsageException(lines.getLast());
    }
    if (lines.stream().anyMatch(line -> line.contains(FULL))) {
      return new UsageException(
          FULL + ": the fork of " + name + " writes to " + workspace.folders());
    }
    List<String> errors =
        lines.stream()
            .filter(
                line -> line.matches("(Exception in |Caused by: )?[\\w.$]+(Exception|Error)\\b.*"))
            .toList();
    String reason = errors.isEmpty() ? String.join(" ", lines) : errors.getFirst();
    if (errors.size() > 1) {
      reason += "; " + errors.getLast();
    }
    return new RunFailedException(
        "the fork of " + name + " ended with status " + status + ": " + reason,
        new IOException(String.join("\n", lines)));
  }

  private static void sleepUntilTheEnd() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      process.destroyForcibly();
      process.onExit().join();
    }
    workspace.remove(process);
    out.close();
  }
}
