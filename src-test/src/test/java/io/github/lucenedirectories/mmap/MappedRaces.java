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
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Races for a mapped file. */
public final class MappedRaces {

  private MappedRaces() {}

  /**
   * A file is closed and unmapped while its advice changes, and while it is read and pages are
   * shown.
   */
  public static void closeAndAdvise(int threads) throws IOException {
    Path file = Race.file("file.vec");
    if (Files.notExists(file)) {
      Files.write(file, Race.filled(1));
    }
    MappingCount count = new MappingCount(() -> 1_000, () -> 0);
    Advisor advisor = new Advisor(Level.SCARCE);
    // Once closed, it closes each arena at once.
    Reaper reaper = new Reaper();
    reaper.close();
    FileMapper mapper = new FileMapper(1L << 36, reaper, count, Set.of());
    IndexInput input = mapper.open(file, IOContext.DEFAULT, advisor, null);
    IndexInput clone = input.clone();
    IndexInput slice = input.slice("slice", 0, BYTES);
    Race.run(
        threads,
        input::close,
        () -> {
          advisor.change(Level.PLENTY);
          readOrClosed(clone, 1);
        },
        () -> readOrClosed(slice, 1));
    assertEquals("counted mappings", 0, count.live());
  }
}
