// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import static org.junit.Assert.assertEquals;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A memory pressure whose level the test chooses, whatever small files it maps. */
final class ChosenPressure implements AutoCloseable {

  // These count as open, since memory is plenty for no files.
  private static final Path COLD = Path.of("_0.fdt");
  private static final Path HOT = Path.of("_0.doc");
  private static final Path VECTORS = Path.of("_0.vec");

  private static final long BYTES = 1L << 40;

  private final AtomicLong memory = new AtomicLong();
  final MemoryPressure pressure = new MemoryPressure(memory::get, () -> 0);

  ChosenPressure(Level level) {
    pressure.opened(COLD, FileKind.STORED, BYTES);
    pressure.opened(HOT, FileKind.POSTINGS, BYTES);
    pressure.opened(VECTORS, FileKind.VECTORS, BYTES / 2);
    change(level);
  }

  void change(Level level) {
    memory.set(
        switch (level) {
          case PLENTY -> 3 * BYTES;
          case COLD_SCARCE -> 2 * BYTES;
          case SCARCE -> BYTES;
          default -> 0;
        });
    pressure.check();
    assertEquals(level, pressure.state().level());
  }

  @Override
  public void close() {
    pressure.closed(COLD);
    pressure.closed(HOT);
    pressure.closed(VECTORS);
  }
}
