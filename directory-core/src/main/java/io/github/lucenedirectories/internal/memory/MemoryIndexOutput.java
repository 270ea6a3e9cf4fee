// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.store.BlockIndexOutput;
import java.io.IOException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Writes a new file into memory. Another thread may {@link #revoke} it at any moment. */
final class MemoryIndexOutput extends BlockIndexOutput {

  private final IOContext context;
  private final FileMemory memory;
  private final TableOwner owner;
  private final MemoryFile file;

  /** Null while the file fits into the superclass's block. */
  private @Nullable MemorySink sink;

  /** Takes the file over if it is spilled. */
  private @Nullable IndexOutput spilled;

  private long gathered;

  private boolean revoked;

  /** An output to memory; {@code file} takes the memory over when the output is closed. */
  MemoryIndexOutput(
      String name, IOContext context, FileMemory memory, TableOwner owner, MemoryFile file) {
    super("MemoryIndexOutput(file=" + name + ")", name);
    this.context = context;
    this.memory = memory;
    this.owner = owner;
    this.file = file;
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
    if (spilled != null) {
      spilled.writeBytes(bytes, offset, length);
      return;
    }
    try {
      ensureNotTooLong(gathered + length);
      sink().append(bytes, offset, length);
      gathered += length;
    } catch (MemoryLimitException e) {
      spill(e).writeBytes(bytes, offset, length);
    }
  }

  private void ensureNotTooLong(long length) throws MemoryLimitException {
    long maxBytes = owner.maxBytes(context);
    if (length > maxBytes) {
      throw MemoryLimitException.limit(getName(), length, maxBytes, maxBytes, toString());
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

  private IndexOutput spill(MemoryLimitException cause) throws IOException {
    IndexOutput output = owner.spill(getName(), context, cause);
    spilled = output;
    if (sink != null) {
      sink.writeTo(output);
      sink.discard();
    }
    return output;
  }

  @Override
  protected synchronized void finish(byte[] bytes, int length) throws IOException {
    ensureNotRevoked();
    try {
      if (sink == null && spilled == null) {
        completeSmall(bytes, length);
      } else {
        append(bytes, 0, length);
        if (spilled == null) {
          completeLarge();
        }
      }
      if (spilled != null) {
        spilled.close();
        file.setAbsent();
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
      spill(e);
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
      spill(e).writeBytes(bytes, 0, length);
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
    IOUtils.closeWhileHandlingException(spilled);
    file.setAbsent();
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
