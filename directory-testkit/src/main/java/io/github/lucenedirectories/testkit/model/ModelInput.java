// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.model;

import static org.apache.lucene.tests.util.LuceneTestCase.expectThrows;
import static org.junit.Assert.assertEquals;

import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.StaleRead;
import io.github.lucenedirectories.testkit.Subject;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/** An input beside what it must read: a window of a {@link WrittenFile} and a position. */
final class ModelInput {

  private final IndexInput in;
  private final WrittenFile file;
  private final int start;
  private final int length;

  /** What this was cloned or sliced from; itself if it was opened. */
  private final ModelInput original;

  private int pos;
  private boolean closed;

  private ModelInput(
      IndexInput in, WrittenFile file, int start, int length, @Nullable ModelInput original) {
    this.in = in;
    this.file = file;
    this.start = start;
    this.length = length;
    this.original = original == null ? this : original;
    assertEquals(length, in.length());
  }

  static ModelInput opened(IndexInput in, WrittenFile file) {
    ModelInput opened = new ModelInput(in, file, 0, file.bytes.length, null);
    assertEquals("an opened input starts at 0", 0, in.getFilePointer());
    return opened;
  }

  boolean isOriginal() {
    return original == this;
  }

  /** Whether a clone or a slice of it must succeed. */
  boolean usable() {
    return !closed && !original.closed;
  }

  void close() throws IOException {
    in.close();
    closed = true;
  }

  ModelInput copy() {
    ModelInput copy = new ModelInput(in.clone(), file, start, length, original);
    copy.pos = pos;
    assertEquals("a clone starts where it was cloned", pos, copy.in.getFilePointer());
    return copy;
  }

  ModelInput slice(Random random) throws IOException {
    int offset = random.nextInt(length + 1);
    int count = random.nextInt(length - offset + 1);
    IndexInput slice =
        random.nextBoolean()
            ? in.slice("slice", offset, count)
            : in.slice("slice", offset, count, Contexts.any(random));
    assertEquals("a slice starts at 0", 0, slice.getFilePointer());
    return new ModelInput(slice, file, start + offset, count, original);
  }

  /**
   * Does one random read and compares. One whose original was closed may throw, and is then of no
   * more use.
   */
  boolean readSomething(Random random, Subject subject) throws IOException {
    int edge = subject.edgeBytes();
    if (closed && !original.closed && !subject.promises().contains(Promise.CLOSED_PARTS)) {
      return false;
    }
    if (closed) {
      expectThrows(
          AlreadyClosedException.class,
          () -> {
            in.seek(0);
            in.readByte();
          });
      return false;
    }
    try {
      switch (random.nextInt(12)) {
        case 0, 1 -> {
          pos = anyPosition(random, edge);
          in.seek(pos);
        }
        case 2 -> readPastEnd(random);
        case 3 -> {
          if (usable() || subject.promises().contains(Promise.CLOSED_HINTS)) {
            hints(random);
          }
        }
        case 4, 5 -> randomAccess(random, edge);
        case 6, 7 -> readValues(random);
        default -> readNext(random);
      }
      assertEquals(pos, in.getFilePointer());
      return true;
    } catch (AlreadyClosedException e) {
      if (!original.closed) {
        throw e;
      }
      StaleRead.refused();
      return false;
    }
  }

  /** A position, more often than not close to an edge of the directory. */
  private int anyPosition(Random random, int edge) {
    int uniform = random.nextInt(length + 1);
    if (random.nextInt(3) == 0) {
      return uniform;
    }
    int atEdge = uniform / edge * edge - start % edge + random.nextInt(21) - 10;
    return Math.clamp(atEdge, 0, length);
  }

  private void readPastEnd(Random random) throws IOException {
    int left = length - pos;
    long beyond = length + 1L + random.nextInt(10_000);
    byte[] bytes = new byte[left + 1 + random.nextInt(20)];
    long[] longs = new long[left / Long.BYTES + 1];
    expectEnd(() -> in.seek(beyond));
    in.seek(pos);
    expectEnd(() -> in.readBytes(bytes, 0, bytes.length));
    in.seek(pos);
    expectEnd(() -> in.readLongs(longs, 0, longs.length));
    in.seek(pos);
    expectEnd(() -> in.skipBytes(left + 1L));
    in.seek(pos);
  }

  /** Lets other exceptions through: the original may have been closed. */
  private static void expectEnd(IORunnable read) throws IOException {
    try {
      read.run();
    } catch (EOFException expected) {
      return;
    }
    throw new AssertionError("went past the end");
  }

  private void hints(Random random) throws IOException {
    if (length > 0) {
      int offset = random.nextInt(length);
      in.prefetch(offset, 1 + random.nextInt(length - offset));
    }
    in.updateIOContext(Contexts.any(random));
    in.isLoaded();
    int skip = random.nextInt(length - pos + 1);
    in.skipBytes(skip);
    pos += skip;
  }

  private void randomAccess(Random random, int edge) throws IOException {
    int offset = random.nextInt(length + 1);
    int count = random.nextInt(length - offset + 1);
    RandomAccessInput access = in.randomAccessSlice(offset, count);
    assertEquals(count, access.length());
    for (int i = 0; i < 10; i++) {
      Read read = anyOf(random, Read::isPositional);
      int at = Math.min(anyPosition(random, edge), count);
      int most = (count - at) / read.size();
      int values = read.isBulk() ? random.nextInt(most + 1) : Math.min(most, 1);
      compare(read, read.at(access, at, values), start + offset + at);
    }
  }

  private static Read anyOf(Random random, Predicate<Read> condition) {
    List<Read> reads = Arrays.stream(Read.values()).filter(condition).toList();
    return reads.get(random.nextInt(reads.size()));
  }

  private void compare(Read read, byte[] actual, int from) {
    int wrong = Arrays.mismatch(actual, 0, actual.length, file.bytes, from, from + actual.length);
    assertEquals(read + " of " + actual.length + " bytes from " + from + ": mismatch", -1, wrong);
  }

  /** A few values that follow each other, as a codec reads them. */
  private void readValues(Random random) throws IOException {
    int first = random.nextInt(file.marks.size() + 1);
    int last = Math.min(first + 4, file.marks.size());
    for (WrittenFile.Mark mark : file.marks.subList(first, last)) {
      if (mark.start() >= start && mark.end() <= start + length) {
        in.seek(mark.start() - start);
        mark.check(in);
        pos = mark.end() - start;
        assertEquals(mark.toString(), pos, in.getFilePointer());
      }
    }
  }

  private void readNext(Random random) throws IOException {
    Read read = anyOf(random, each -> each.isBulk() || each == Read.SHORT);
    int most = (length - pos) / read.size();
    int count = random.nextInt(Math.min(most, random.nextBoolean() ? 10 : 5_000) + 1);
    byte[] actual = read.next(in, count);
    compare(read, actual, start + pos);
    pos += actual.length;
  }

  @Override
  public String toString() {
    String state = closed ? ", closed" : original.closed ? ", original closed" : "";
    String kind = isOriginal() ? "original" : "part";
    return kind + "(start=" + start + ", length=" + length + ", pos=" + pos + state + ")";
  }
}
