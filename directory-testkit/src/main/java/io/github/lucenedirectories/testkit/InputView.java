// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.generators.RandomPicks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * One of the ways to see bytes of a file: the original input, a clone, a slice of some kind.
 *
 * @param in at its start when it comes from {@link #of}
 * @param bytes what the input has to read
 * @param start where in the file the first byte of this view lies
 */
@SuppressWarnings("ArrayRecordComponent") // it is never compared
public record InputView(String name, IndexInput in, byte[] bytes, int start) {

  /** Every kind of view of one open file with this content; the first is the original itself. */
  public static List<InputView> of(IndexInput original, byte[] bytes, int offset)
      throws IOException {
    List<InputView> views = new ArrayList<>();
    views.add(new InputView("original", original, bytes, 0));
    views.add(new InputView("clone", original.clone(), bytes, 0));
    views.add(new InputView("clone of clone", original.clone().clone(), bytes, 0));
    int end = bytes.length - Math.min(offset, bytes.length - offset);
    byte[] part = Arrays.copyOfRange(bytes, offset, end);
    views.add(new InputView("full slice", original.slice("full", 0, bytes.length), bytes, 0));
    IndexInput slice = original.slice("slice", offset, part.length);
    views.add(new InputView("slice", slice, part, offset));
    views.add(new InputView("clone of slice", slice.clone(), part, offset));
    IndexInput other = original.slice("context", offset, part.length, IOContext.DEFAULT);
    views.add(new InputView("slice with context", other, part, offset));
    int inner = part.length / 3;
    views.add(
        new InputView(
            "slice of slice",
            slice.slice("inner", inner, part.length - inner),
            Arrays.copyOfRange(part, inner, part.length),
            offset + inner));
    return views;
  }

  /**
   * Reads at a random place in a random way, and compares.
   *
   * @throws AlreadyClosedException if the file was closed
   */
  public void read(Random random) throws IOException {
    Read read = RandomPicks.randomFrom(random, Read.values());
    int pos = random.nextInt(bytes.length - read.size() + 1);
    int most = read.isBulk() ? Math.min(600, (bytes.length - pos) / read.size()) : 1;
    int count = 1 + random.nextInt(most);
    int length = count * read.size();
    int way = random.nextInt(4);
    byte[] found = way == 0 ? segment(pos, length) : null;
    if (found == null && way == 1 && read.isPositional()) {
      found = read.at(in.randomAccessSlice(pos, length), 0, count);
    } else if (found == null) {
      in.seek(pos);
      found = read.next(in, count);
    }
    int wrong = Arrays.mismatch(found, 0, length, bytes, pos, pos + length);
    if (wrong >= 0) {
      throw new AssertionError(
          "wrong byte " + wrong + " of " + count + " " + read + " at " + pos + ": " + this);
    }
  }

  /** Reads as Lucene's SIMD code does: the memory itself, without asking the input again. */
  private byte @Nullable [] segment(int pos, int length) throws IOException {
    MemorySegment segment =
        in instanceof MemorySegmentAccessInput memory
            ? memory.segmentSliceOrNull(pos, length)
            : null;
    if (segment == null) {
      return null;
    }
    byte[] found = new byte[length];
    for (int i = 0; i < length; i++) {
      try {
        found[i] = segment.get(ValueLayout.JAVA_BYTE, i);
      } catch (IllegalStateException e) {
        if (segment.scope().isAlive()) {
          throw e;
        }
        throw new AlreadyClosedException("segment of " + in, e);
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return name + " of " + bytes.length + " bytes: " + in;
  }
}
