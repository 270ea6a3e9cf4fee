package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** One of the ways to see bytes of a file: the original input, a clone, a slice of some kind. */
public final class InputView {

  private final String name;
  private final IndexInput in;
  private final byte[] bytes;
  private final int start;

  private InputView(String name, IndexInput in, byte[] bytes, int start) {
    this.name = name;
    this.in = in;
    this.bytes = bytes;
    this.start = start;
  }

  /** The input; at its start when it comes from {@link #of}. */
  public IndexInput in() {
    return in;
  }

  /** What the input has to read. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where in the file the first byte of this view lies. */
  public int start() {
    return start;
  }

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
    views.add(
        new InputView(
            "slice with context",
            original.slice("context", offset, part.length, IOContext.DEFAULT),
            part,
            offset));
    int inner = part.length / 3;
    views.add(
        new InputView(
            "slice of slice",
            slice.slice("inner", inner, part.length - inner),
            Arrays.copyOfRange(part, inner, part.length),
            offset + inner));
    return views;
  }

  @Override
  public String toString() {
    return name + " of " + bytes.length + " bytes: " + in;
  }
}
