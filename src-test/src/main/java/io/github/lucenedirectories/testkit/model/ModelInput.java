package io.github.lucenedirectories.testkit.model;

import io.github.lucenedirectories.testkit.Contexts;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.StaleRead;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.IORunnable;

/** An input beside what it must read: a window of a {@link WrittenFile} and a position. */
final class ModelInput {

  final IndexInput in;
  private final WrittenFile file;
  private final int start;
  private final int length;
  private int pos;

  /** Whether the original that this is, or comes from, was closed. */
  private final AtomicBoolean originalClosed;

  private final boolean original;
  private boolean closed;

  private ModelInput(
      IndexInput in,
      WrittenFile file,
      int start,
      int length,
      AtomicBoolean originalClosed,
      boolean original) {
    this.in = in;
    this.file = file;
    this.start = start;
    this.length = length;
    this.originalClosed = originalClosed;
    this.original = original;
    check(in.length() == length, "length=" + in.length() + ", expected " + length);
  }

  static ModelInput opened(IndexInput in, WrittenFile file) {
    ModelInput opened = new ModelInput(in, file, 0, file.length(), new AtomicBoolean(), true);
    check(in.getFilePointer() == 0, "an opened input starts at 0");
    return opened;
  }

  boolean original() {
    return original;
  }

  /** Whether a read may throw because the original is gone, although this was not closed. */
  boolean stale() {
    return originalClosed.get();
  }

  /** Whether a clone or a slice of it must succeed. */
  boolean usable() {
    return !closed && !stale();
  }

  void close() throws IOException {
    in.close();
    closed = true;
    if (original) {
      originalClosed.set(true);
    }
  }

  ModelInput copy() {
    ModelInput copy = new ModelInput(in.clone(), file, start, length, originalClosed, false);
    copy.pos = pos;
    check(copy.in.getFilePointer() == pos, "a clone starts where it was cloned");
    return copy;
  }

  ModelInput slice(Random random) throws IOException {
    int offset = random.nextInt(length + 1);
    int count = random.nextInt(length - offset + 1);
    IndexInput slice =
        random.nextBoolean()
            ? in.slice("slice", offset, count)
            : in.slice("slice", offset, count, Contexts.any(random));
    check(slice.getFilePointer() == 0, "a slice starts at 0");
    return new ModelInput(slice, file, start + offset, count, originalClosed, false);
  }

  /** Does one random read and compares; a stale input may throw and is then of no more use. */
  boolean readSomething(Random random, int edge) throws IOException {
    if (closed) {
      expectClosed();
      return false;
    }
    try {
      switch (random.nextInt(12)) {
        case 0 -> seek(random, edge);
        case 1 -> seekBeyond(random);
        case 2 -> readPastEnd(random);
        case 3 -> hints(random);
        case 4, 5 -> randomAccess(random, edge);
        case 6, 7 -> readValue(random);
        default -> readBulk(random);
      }
      check(in.getFilePointer() == pos, "at " + in.getFilePointer() + ", expected " + pos);
      return true;
    } catch (AlreadyClosedException e) {
      if (!stale()) {
        throw e;
      }
      StaleRead.refused();
      return false;
    }
  }

  private void expectClosed() throws IOException {
    try {
      in.seek(0);
      in.readByte();
    } catch (AlreadyClosedException expected) {
      return;
    }
    throw new AssertionError("closed, yet it reads: " + in);
  }

  private void seek(Random random, int edge) throws IOException {
    pos = anyPosition(random, edge);
    in.seek(pos);
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

  private void seekBeyond(Random random) throws IOException {
    expectEnd("seek", () -> in.seek(length + 1L + random.nextInt(10_000)));
    in.seek(pos);
  }

  private void readPastEnd(Random random) throws IOException {
    int left = length - pos;
    byte[] target = new byte[left + 1 + random.nextInt(20)];
    expectEnd("readBytes", () -> in.readBytes(target, 0, target.length));
    in.seek(pos);
    expectEnd("readLongs", () -> in.readLongs(new long[left / 8 + 1], 0, left / 8 + 1));
    in.seek(pos);
    expectEnd("skipBytes", () -> in.skipBytes(left + 1L));
    in.seek(pos);
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
    check(access.length() == count, "random access: length=" + access.length());
    int base = start + offset;
    for (int i = 0; i < 10; i++) {
      Read read = anyOf(random, Read::isPositional);
      int at = Math.min(anyPosition(random, edge), count);
      int most = (count - at) / read.size();
      int values = read.isBulk() ? random.nextInt(most + 1) : Math.min(most, 1);
      compare(read, read.at(access, at, values), base + at);
    }
  }

  private static Read anyOf(Random random, Predicate<Read> condition) {
    List<Read> reads = Arrays.stream(Read.values()).filter(condition).toList();
    return reads.get(random.nextInt(reads.size()));
  }

  private void compare(Read read, byte[] actual, int from) {
    int wrong = Arrays.mismatch(actual, 0, actual.length, file.bytes(), from, from + actual.length);
    check(wrong < 0, read + " of " + actual.length + " bytes from " + from + ": wrong at " + wrong);
  }

  private void readValue(Random random) throws IOException {
    List<WrittenFile.Mark> marks = file.marks();
    if (marks.isEmpty()) {
      return;
    }
    // A few that follow each other, as a codec reads them.
    int first = random.nextInt(marks.size());
    for (WrittenFile.Mark mark : marks.subList(first, Math.min(first + 4, marks.size()))) {
      if (mark.start() >= start && mark.end() <= start + length) {
        in.seek(mark.start() - start);
        mark.value().check(in);
        pos = mark.end() - start;
        check(in.getFilePointer() == pos, "after " + mark + ": at " + in.getFilePointer());
      }
    }
  }

  private void readBulk(Random random) throws IOException {
    Read read = anyOf(random, each -> each.isBulk() || each == Read.SHORT);
    int most = (length - pos) / read.size();
    int count = random.nextInt(Math.min(most, random.nextBoolean() ? 10 : 5_000) + 1);
    byte[] actual = read.next(in, count);
    compare(read, actual, start + pos);
    pos += actual.length;
  }

  private static void expectEnd(String what, IORunnable read) throws IOException {
    try {
      read.run();
    } catch (EOFException expected) {
      return;
    }
    throw new AssertionError(what + " went past the end");
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  @Override
  public String toString() {
    return (original ? "original" : "part")
        + "(start="
        + start
        + ", length="
        + length
        + ", pos="
        + pos
        + (closed ? ", closed" : stale() ? ", original closed" : "")
        + ")";
  }
}
