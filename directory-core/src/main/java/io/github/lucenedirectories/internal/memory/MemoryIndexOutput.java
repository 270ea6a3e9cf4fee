// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.store.BlockIndexOutput;
import java.io.IOException;
import java.util.function.ObjLongConsumer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Writes a new file into memory. Another thread may {@link #revoke} it at any moment. */
final class MemoryIndexOutput extends BlockIndexOutput {

  private final FileMemory memory;
  private final IOContext context;
  private final SpillTarget overflow;
  private final MemoryFile file;
  private final ObjLongConsumer<String> listener;

  /** Null while the file fits into the superclass's block. */
  private @Nullable MemorySink sink;

  private @Nullable IndexOutput elsewhere;

  private long gathered;

  private boolean revoked;

  /** An output to memory; {@code file} takes the memory over when the output is closed. */
  MemoryIndexOutput(
      String name,
      FileMemory memory,
      IOContext context,
      SpillTarget overflow,
      MemoryFile file,
      ObjLongConsumer<String> listener) {
    super("MemoryIndexOutput(file=" + name + ")", name);
    this.memory = memory;
    this.context = context;
    this.overflow = overflow;
    this.file = file;
    this.listener = listener;
  }

  @Override
  protected synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    ensureNotRevoked();
    if (length == 0) {
      return;
    }
    try {
      append(bytes, offset, length);
    } catch (Throwable t) {
      abandon();
      throw t;
    }
  }

  private void append(byte[] bytes, int offset, int length) throws IOException {
    if (elsewhere != null) {
      elsewhere.writeBytes(bytes, offset, length);
      return;
    }
    try {
      ensureNotTooLong(gathered + length);
      sink().append(bytes, offset, length);
      gathered += length;
    } catch (MemoryLimitException e) {
      overflow(e).writeBytes(bytes, offset, length);
    }
  }

  private void ensureNotTooLong(long length) throws MemoryLimitException {
    if (length > overflow.maxBytes()) {
      throw new MemoryLimitException(
          getName(), length, overflow.maxBytes(), overflow.maxBytes(), toString());
    }
  }

  private MemorySink sink() throws IOException {
    MemorySink current = sink;
    if (current == null) {
      current = memory.newSink(getName(), context);
      sink = current;
    }
    return current;
  }

  private IndexOutput overflow(MemoryLimitException cause) throws IOException {
    IndexOutput output = overflow.create(getName(), cause);
    elsewhere = output;
    if (sink != null) {
      sink.writeTo(output);
      sink.discard();
    }
    return output;
  }

  @Override
  protected void finish(byte[] bytes, int length) throws IOException {
    complete(bytes, length);
    listener.accept(getName(), getFilePointer());
  }

  private synchronized void complete(byte[] bytes, int length) throws IOException {
    ensureNotRevoked();
    try {
      if (sink == null && elsewhere == null) {
        completeSmall(bytes, length);
      } else {
        append(bytes, 0, length);
        if (elsewhere == null) {
          completeLarge();
        }
      }
      if (elsewhere != null) {
        elsewhere.close();
        file.fail();
      }
    } catch (Throwable t) {
      abandon();
      throw t;
    }
  }

  private void completeLarge() throws IOException {
    FileContents sealed;
    try {
      sealed = sink().seal();
    } catch (MemoryLimitException e) {
      overflow(e);
      return;
    }
    file.complete(sealed);
  }

  private void completeSmall(byte[] bytes, int length) throws IOException {
    FileContents sealed;
    try {
      ensureNotTooLong(length);
      sealed = memory.copyOf(getName(), bytes, length);
    } catch (MemoryLimitException e) {
      overflow(e).writeBytes(bytes, 0, length);
      return;
    }
    file.complete(sealed);
  }

  /** Frees the memory of an incomplete file, and removes the file. */
  @Override
  protected synchronized void abandon() {
    if (sink != null) {
      sink.discard();
    }
    IOUtils.closeWhileHandlingException(elsewhere);
    file.fail();
  }

  /** Takes the memory away: every later write, and close, throws. */
  synchronized void revoke() {
    revoked = true;
    abandon();
  }

  private void ensureNotRevoked() {
    if (revoked) {
      throw new AlreadyClosedException("the directory was closed: " + this);
    }
  }
}
