package io.github.lucenedirectories.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.variants.Variant;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A fork's line to its parent: messages out on the standard output, words in on the standard input.
 * When the parent is gone the fork ends at once, so that none is left running.
 */
public final class Fork {
  static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int ORPHAN_STATUS = 3;

  private final Path specFile;
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final LinkedBlockingQueue<String> words = new LinkedBlockingQueue<>();

  private long seed;
  private Path scratch = Path.of("");

  /**
   * One line from a fork to its parent.
   *
   * @param data of the shape that the event's sender and receiver agree on
   */
  record Message(String event, JsonNode data) {}

  /**
   * What the parent writes for a fork of a workload.
   *
   * @param input of the workload's own type
   * @param seed the same for all forks of a round
   * @param scratch a folder for the fork's files, on the disk of the results; the parent removes it
   */
  record Input(JsonNode input, Column column, long seed, String scratch) {}

  private Fork(Path specFile) {
    this.specFile = specFile;
  }

  /** The channel of this JVM, which its parent started as a fork. */
  public static Fork open(Path specFile) {
    Fork channel = new Fork(specFile);
    Thread listener = new Thread(channel::listen, "parent-listener");
    listener.setDaemon(true);
    listener.start();
    return channel;
  }

  /** What the parent asked for. */
  public <T> T spec(Class<T> type) throws IOException {
    return MAPPER.readValue(specFile.toFile(), type);
  }

  /** Reads what the parent wrote for a fork of a workload. */
  Input begin() throws IOException {
    Input read = spec(Input.class);
    seed = read.seed();
    scratch = Path.of(read.scratch());
    return read;
  }

  /** The same for all forks of a round. */
  public long seed() {
    return seed;
  }

  /** A folder for this fork's files, which the parent removes. It may not exist yet. */
  public Path scratch() {
    return scratch;
  }

  /**
   * A folder for a directory's files, which the parent removes: {@link #scratch}, or one in memory
   * for what belongs there. It exists.
   */
  public Path folder(Variant variant) throws IOException {
    return variant.storage() == Variant.Storage.POOLS
        ? Workspace.newMemoryFolder()
        : Files.createDirectories(scratch);
  }

  /** Tells the parent something. */
  public void send(String event, Object data) throws IOException {
    String line = MAPPER.writeValueAsString(new Message(event, MAPPER.valueToTree(data))) + "\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Waits until the parent has said a word, and drops others. */
  public void await(String word) throws IOException {
    try {
      while (!words.take().equals(word)) {
        // Not yet.
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while waiting for '" + word + "'", e);
    }
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        words.add(line);
      }
    } catch (IOException e) {
      // As good as the end of the input.
    }
    Runtime.getRuntime().halt(ORPHAN_STATUS);
  }
}
