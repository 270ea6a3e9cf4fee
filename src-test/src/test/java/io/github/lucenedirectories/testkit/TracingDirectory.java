// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * Records with which contexts Lucene opens and creates files, and how each input is then read. For
 * one thread at a time.
 */
final class TracingDirectory extends FilterDirectory {

  /** A file that was created, and with which context. */
  record Created(String name, IOContext context) {}

  /** All inputs, clones and slices, in the order in which they were made. */
  final List<Input> inputs = new ArrayList<>();

  final List<Created> created = new ArrayList<>();

  TracingDirectory(Directory in) {
    super(in);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new Input(in.openInput(name, context), name, context, null);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    created.add(new Created(name, context));
    return in.createOutput(name, context);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = in.createTempOutput(prefix, suffix, context);
    created.add(new Created(output.getName(), context));
    return output;
  }

  /** An opened input, clone or slice, and how it is read. */
  final class Input extends FilterIndexInput {

    /** Reads that only check what the file is end here, or begin this far from its end. */
    private static final int HEADER = 100;

    private static final int FOOTER = 16;

    final String name;
    final IOContext context;

    /** What it is a clone or slice of; null for an opened file. */
    final @Nullable Input parent;

    /** The contexts of {@link #updateIOContext}. */
    final List<IOContext> updates = new ArrayList<>();

    /** The lengths of {@link #prefetch}. */
    final List<Long> prefetches = new ArrayList<>();

    private long reads;
    private long last;
    private long end;
    private boolean goesBack;
    private boolean jumps;

    Input(IndexInput in, String name, IOContext context, @Nullable Input parent) {
      super(in.toString(), in);
      this.name = name;
      this.context = context;
      this.parent = parent;
      inputs.add(this);
    }

    boolean isOfMerge() {
      return context.context() == IOContext.Context.MERGE;
    }

    /** Whether a read began before the one that preceded it. */
    boolean isRandom() {
      return goesBack;
    }

    /** Whether more than the header was read without a jump. */
    boolean isSequential() {
      return !goesBack && !jumps && end > HEADER && reads > 1;
    }

    private IndexInput reading(int bytes) {
      long position = in.getFilePointer();
      boolean checksFooter = parent == null && position >= in.length() - FOOTER && position != end;
      if (bytes > 0 && !checksFooter) {
        // Packed numbers are read eight bytes at a time and overlap.
        goesBack |= position < last;
        jumps |= reads > 0 && position > end;
        last = position;
        end = position + bytes;
        reads++;
      }
      return in;
    }

    @Override
    public Input clone() {
      return new Input(in.clone(), name, context, this);
    }

    @Override
    public Input slice(String description, long offset, long length) throws IOException {
      return slice(description, offset, length, context);
    }

    @Override
    public Input slice(String description, long offset, long length, IOContext sliced)
        throws IOException {
      return new Input(in.slice(description, offset, length, sliced), name, sliced, this);
    }

    @Override
    public void prefetch(long offset, long length) throws IOException {
      prefetches.add(length);
      in.prefetch(offset, length);
    }

    @Override
    public void updateIOContext(IOContext updated) throws IOException {
      updates.add(updated);
      in.updateIOContext(updated);
    }

    @Override
    public byte readByte() throws IOException {
      return reading(Byte.BYTES).readByte();
    }

    @Override
    public void readBytes(byte[] bytes, int offset, int length) throws IOException {
      reading(length).readBytes(bytes, offset, length);
    }

    @Override
    public short readShort() throws IOException {
      return reading(Short.BYTES).readShort();
    }

    @Override
    public int readInt() throws IOException {
      return reading(Integer.BYTES).readInt();
    }

    @Override
    public long readLong() throws IOException {
      return reading(Long.BYTES).readLong();
    }
  }
}
