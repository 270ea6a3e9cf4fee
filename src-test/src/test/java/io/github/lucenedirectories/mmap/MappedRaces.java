// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

import static io.github.lucenedirectories.schedules.Race.BYTES;
import static io.github.lucenedirectories.schedules.Race.readOrClosed;
import static org.junit.Assert.assertEquals;

import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.schedules.Race;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Races for a mapped file. */
public final class MappedRaces {

  private MappedRaces() {}

  /**
   * A file is closed and unmapped while a part of it is opened and its advice changes, and while it
   * is read and pages are shown.
   */
  public static void closeAndAdvise(int threads) throws IOException {
    Path file = Race.file("file.vec");
    if (Files.notExists(file)) {
      Files.write(file, Race.filled(1));
    }
    MappingCount count = new MappingCount(() -> 1_000, () -> 0);
    ChosenPressure memory = new ChosenPressure(Level.VECTORS_SCARCE);
    // Once closed, it closes each arena at once.
    Reaper reaper = new Reaper();
    reaper.close();
    FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
    IndexInput input = mapper.open(file, IOContext.DEFAULT, memory.pressure, null);
    IndexInput clone = input.clone();
    IndexInput slice = input.slice("slice", 0, BYTES);
    Race.run(
        threads,
        () -> {
          openPart(clone);
          memory.change(Level.PLENTY);
          readOrClosed(clone, 1);
        },
        input::close,
        () -> readOrClosed(slice, 1));
    memory.close();
    assertEquals("counted mappings", 0, count.live());
  }

  private static void openPart(IndexInput compound) throws IOException {
    try {
      compound.slice("part.vec", BYTES / 2, BYTES / 2, IOContext.DEFAULT);
    } catch (AlreadyClosedException _) {
      // It was closed first.
    }
  }
}
