package io.github.lucenedirectories.core;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a new file into memory. */
final class MemoryIndexOutput extends BlockIndexOutput {

  private final OffHeapMemory memory;
  private final Consumer<SealedMemory> whenComplete;

  /** Null while the file fits the block that the superclass gathers. */
  private @Nullable MemorySink sink;

  /**
   * An output to memory.
   *
   * @param whenComplete takes over the memory when the output is closed
   */
  MemoryIndexOutput(String name, OffHeapMemory memory, Consumer<SealedMemory> whenComplete) {
    super("MemoryIndexOutput(file=" + name + ")", name);
    this.memory = memory;
    this.whenComplete = whenComplete;
  }

  @Override
  void write(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    if (sink == null) {
      sink = memory.newSink();
    }
    sink.append(bytes, offset, length);
  }

  @Override
  void finish(byte[] bytes, int length) throws IOException {
    if (sink == null) {
      whenComplete.accept(memory.copyOf(bytes, length));
      return;
    }
    SealedMemory sealed;
    try {
      sink.append(bytes, 0, length);
      sealed = sink.seal();
    } catch (Throwable t) {
      sink.discard();
      throw t;
    }
    whenComplete.accept(sealed);
  }

  @Override
  void abandon() {
    if (sink != null) {
      sink.discard();
    }
  }
}
