// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A JVM that its parent started for one {@link Job}, and its line to the parent: messages out on
 * the standard output, words in on the standard input. When the parent is gone the fork ends at
 * once, so that none is left running.
 */
public final class Fork {
  /** What a fork says with what its job found. */
  static final String RESULT = "result";

  public static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int ORPHAN_STATUS = 3;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final LinkedBlockingQueue<String> words = new LinkedBlockingQueue<>();
  private long seed;
  private Path scratch = Path.of("");

  /** What a fork does: its parent writes it as JSON, and gets what it finds as JSON. */
  public interface Job<T> {
    /** Does the work; what is left open when it returns ends with the JVM. */
    T run(Fork fork) throws IOException;
  }

  /** One line from a fork to its parent. */
  record Message(String event, JsonNode data) {}

  private Fork() {}

  /**
   * Does a job and ends the JVM. What it prints of an error is for its parent. The arguments are
   * the job's class and the file that it is written in.
   */
  @SuppressWarnings("CatchAndPrintStackTrace") // the parent reads it
  public static void main(String[] args) {
    Fork fork = new Fork();
    Thread.ofPlatform().daemon().name("parent-listener").start(fork::listen);
    int status = 0;
    try {
      Job<?> job = (Job<?>) MAPPER.readValue(new File(args[1]), Class.forName(args[0]));
      fork.send(RESULT, job.run(fork));
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      status = UsageException.EXIT_STATUS;
    } catch (IOException | ReflectiveOperationException | RuntimeException | Error e) {
      e.printStackTrace();
      status = RunFailedException.EXIT_STATUS;
    }
    System.exit(status);
  }

  void begin(long newSeed, Path newScratch) {
    seed = newSeed;
    scratch = newScratch;
  }

  /** The same for all forks of a round. */
  public long seed() {
    return seed;
  }

  /**
   * A folder for a directory's files, on the disk of the results, or in memory for what belongs
   * there. It exists; the parent removes it.
   */
  public Path folder(Variant variant) throws IOException {
    return folder(variant, scratch);
  }

  /** The same with another folder on the disk of the results. */
  public static Path folder(Variant variant, Path scratch) throws IOException {
    return variant.storage() == Variant.Storage.POOLS
        ? Workspace.newMemoryFolder()
        : Files.createDirectories(scratch);
  }

  public void send(String event, Object data) throws IOException {
    String line = MAPPER.writeValueAsString(new Message(event, MAPPER.valueToTree(data))) + "\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Waits until the parent lets it go on. */
  public void await() throws IOException {
    try {
      words.take();
    } catch (InterruptedException e) {
      throw new IOException("interrupted while waiting for the parent", e);
    }
  }

  private void listen() {
    try (Scanner in = new Scanner(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8)) {
      // A failure ends it as the end of the input does.
      while (in.hasNextLine()) {
        words.add(in.nextLine());
      }
    }
    Runtime.getRuntime().halt(ORPHAN_STATUS);
  }
}
