// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A folder below which all changes are recorded, and afterwards what a power cut left of it. */
abstract class Recording {

  /** Which of the changes a state has. */
  enum Kind {
    /** What is durable right after a flush. */
    FLUSHED,
    /** What is durable at a mark. */
    DROPPED,
    /** All before some moment. */
    PREFIX,
    /** Of those that are not durable yet, some. */
    SOME,
    /** The same, and of some writes only some sectors. */
    TORN
  }

  private static final int SECTOR_BYTES = 512;
  private static final int BLOCK_BYTES = 1 << 12;

  /** As the two programs in src-test/crash have it. */
  enum Type {
    WRITE,
    FLUSH,
    MARK,
    SIZE,
    NAME,
    FOLDER,
    MOVE,
    GONE,
    LOST
  }

  private static final List<Type> TYPES = List.of(Type.values());

  /** What the log has; the bytes of a write are there at {@code at}. */
  record Entry(Type type, long file, long offset, int length, int at) {}

  /** Takes a part of a write: its place in the file, in the log, and its length. */
  interface Part {
    void write(long offset, int at, int length) throws IOException;
  }

  private final Path logFile;
  private final OutputStream marks;
  byte[] log = {};
  final List<Entry> entries = new ArrayList<>();

  Recording(Path logFile, Path marks) throws IOException {
    this.logFile = logFile;
    this.marks = new FileOutputStream(marks.toFile());
  }

  /** Where programs are to write. */
  abstract Path folder();

  /** Ends it. */
  abstract void stop() throws IOException, InterruptedException;

  /** Makes a state as a power cut at a moment could have left it. */
  abstract void build(Path state, Kind kind, int moment, Random random)
      throws IOException, InterruptedException;

  /** Returns the folder that a state has. */
  abstract Path open(Path state) throws IOException, InterruptedException;

  /** Ends what {@link #open} began. */
  abstract void close(Path opened) throws IOException, InterruptedException;

  /** Runs a command and returns its output. */
  static String run(Object... words) throws IOException, InterruptedException {
    List<String> command = Stream.of(words).map(Object::toString).toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status > 128) {
      // Says nothing: a mount that a signal ends fails as if the file system's journal was broken.
      throw new CancellationException("ended by a signal: " + command);
    }
    if (status != 0) {
      throw new IOException("status=" + status + ", command=" + command + ": " + output);
    }
    return output;
  }

  /** Notes in the log that the program has come to the next of its marks. */
  void mark() throws IOException {
    marks.write(1);
  }

  void closeMarks() throws IOException {
    marks.close();
  }

  /** Reads the log, once it is complete. */
  void readLog() throws IOException {
    log = Files.readAllBytes(logFile);
    ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      Type type = TYPES.get((int) buffer.getLong());
      long file = buffer.getLong();
      long offset = buffer.getLong();
      int length = (int) buffer.getLong();
      entries.add(new Entry(type, file, offset, length, buffer.position()));
      buffer.position(buffer.position() + length);
    }
  }

  /** A random moment, as the number of entries of the log before it. */
  int moment(Kind kind, Random random) {
    int[] ends =
        IntStream.range(0, entries.size())
            .filter(
                i ->
                    switch (entries.get(i).type) {
                      case FLUSH -> kind == Kind.FLUSHED;
                      case MARK -> kind == Kind.DROPPED;
                      default -> kind != Kind.FLUSHED && kind != Kind.DROPPED;
                    })
            .toArray();
    return ends[random.nextInt(ends.length)] + 1;
  }

  /**
   * Lets operations fail until the next call, as src-test/crash/files.c says; an empty line for
   * none.
   */
  void fail(String line) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** How many marks came before a moment. */
  int marks(int moment) {
    return (int) entries.subList(0, moment).stream().filter(each -> each.type == Type.MARK).count();
  }

  /** Writes one, or of one that is torn some sectors. */
  void write(Entry entry, boolean torn, Random random, Part part) throws IOException {
    int way = torn ? random.nextInt(3) : -1;
    int first = random.nextInt(entry.length / SECTOR_BYTES + 1) * SECTOR_BYTES;
    for (int at = 0, length; at < entry.length; at += length) {
      boolean lands =
          switch (way) {
            case 0 -> at < first;
            case 1 -> at != first;
            case 2 -> random.nextBoolean();
            default -> true;
          };
      boolean whole = way < 0 || isNeverTorn(entry.offset + at, entry.at + at);
      length = Math.min(whole ? BLOCK_BYTES : SECTOR_BYTES, entry.length - at);
      if (lands) {
        part.write(entry.offset + at, entry.at + at, length);
      }
    }
  }

  /** Whether what the log has at a place is written as a whole. */
  boolean isNeverTorn(long offset, int at) {
    return false;
  }
}
