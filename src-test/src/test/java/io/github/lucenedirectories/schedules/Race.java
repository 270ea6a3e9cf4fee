// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.schedules;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.SuppressForbidden;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * A few operations at once, in an order that {@code ./run schedules} chooses. A race is a public
 * static method of a class {@code *Races} that takes the number of threads.
 */
public final class Race {

  /** The length of a file. */
  public static final int BYTES = 8;

  /** Whether the operations run, so that there is something to choose. */
  static volatile boolean running;

  private Race() {}

  /** Runs the first operations, each in a thread, and throws the first failure. */
  @SuppressForbidden(reason = "the threads are those of the race")
  public static void run(int threads, IORunnable... operations) throws IOException {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> others = new ArrayList<>();
    for (IORunnable operation : Arrays.asList(operations).subList(1, threads)) {
      others.add(new Thread(() -> run(operation, failures)));
    }
    others.forEach(Thread::start);
    running = true;
    run(operations[0], failures);
    try {
      for (Thread other : others) {
        other.join();
      }
    } catch (InterruptedException e) {
      throw new ThreadInterruptedException(e);
    }
    running = false;
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.getFirst());
    }
  }

  private static void run(IORunnable operation, List<Throwable> failures) {
    try {
      operation.run();
    } catch (Throwable t) {
      // One thread at a time runs.
      failures.add(t);
    }
  }

  /** Writes a file of {@link #BYTES} equal bytes. */
  public static void write(IndexOutput created, int value) throws IOException {
    try (IndexOutput output = created) {
      output.writeBytes(filled(value), BYTES);
    }
  }

  /** Equal bytes. */
  public static byte[] filled(int value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** Opens and reads a file; it has one of these contents, or is not there or not complete. */
  public static void open(Directory directory, String name, IOContext context, int... values)
      throws IOException {
    try (IndexInput input = directory.openInput(name, context)) {
      byte[] bytes = new byte[BYTES];
      input.readBytes(bytes, 0, BYTES);
      requireOne(bytes, values);
    } catch (NoSuchFileException | AccessDeniedException _) {
      // It was deleted, or is written.
    }
  }

  /** Reads a file; it has this content, or is closed. */
  public static void readOrClosed(IndexInput input, int value) throws IOException {
    try {
      byte[] bytes = new byte[BYTES];
      input.readBytes(bytes, 0, BYTES);
      requireOne(bytes, value);
    } catch (AlreadyClosedException _) {
      // It was closed first.
    }
  }

  /** Requires that bytes are all those of one of these contents. */
  public static void requireOne(byte[] bytes, int... values) {
    assertTrue(
        "bytes of another file: " + Arrays.toString(bytes),
        Arrays.stream(values).anyMatch(value -> Arrays.equals(bytes, filled(value))));
  }

  /** A file that all schedules of this process share. */
  public static Path file(String name) {
    return Path.of(System.getProperty("java.io.tmpdir"), name);
  }
}
