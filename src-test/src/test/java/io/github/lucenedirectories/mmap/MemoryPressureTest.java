package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Which files count, and as what, and who is advised when they fit no more. */
public class MemoryPressureTest extends LibraryTestCase {

  private static final Path FOLDER = Path.of("folder");

  public void testFilesCountOnceWhileTheyAreOpen() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    List<Object> readers = new ArrayList<>();
    List<Cleaner.Cleanable> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Object reader = new Object();
      readers.add(reader);
      open.add(pressure.add(reader, FOLDER.resolve("_0.fdt"), FileKind.STORED, 300));
      open.add(pressure.add(reader, FOLDER.resolve("_0.doc"), FileKind.OTHER, 40));
      requireOpen(pressure, 300, 40);
    }
    open.add(pressure.add(readers, FOLDER.resolve("_1.vec"), FileKind.VECTORS, 5));
    requireOpen(pressure, 300, 45);
    for (int i = 0; i < 6; i++) {
      open.get(i).clean();
      open.get(i).clean();
      requireOpen(pressure, i < 4 ? 300 : 0, i < 5 ? 45 : 5);
    }
    open.get(6).clean();
    requireOpen(pressure, 0, 0);
    assertEquals(3, readers.size());
  }

  private static void requireOpen(MemoryPressure pressure, long stored, long other) {
    assertEquals(stored, pressure.state().storedBytes());
    assertEquals(other, pressure.state().otherBytes());
  }

  public void testLevelAdvises() {
    MemoryPressure pressure = new MemoryPressure(() -> 1_000);
    Advisor advisor = new Advisor(Advisor.Random.ALL);
    pressure.add(advisor);
    assertFalse(advisor.isRandom(FileKind.STORED));
    Cleaner.Cleanable open = pressure.add(this, FOLDER.resolve("_0.doc"), FileKind.OTHER, 901);
    assertEquals(Level.SCARCE, pressure.state().level());
    assertTrue(advisor.isRandom(FileKind.STORED));
    Advisor later = new Advisor(Advisor.Random.NONE);
    pressure.add(later);
    assertTrue(later.isRandom(FileKind.STORED));
    open.clean();
    assertEquals(Level.PLENTY, pressure.state().level());
    assertFalse(advisor.isRandom(FileKind.STORED));
  }

  public void testDroppedReadersDoNotCount() throws Exception {
    AtomicLong memory = new AtomicLong(1_000);
    MemoryPressure pressure = new MemoryPressure(memory::get);
    Cleaner.Cleanable unused =
        pressure.add(new Object(), FOLDER.resolve("_0.doc"), FileKind.OTHER, 901);
    assertNotNull(unused);
    await(
        () -> {
          System.gc();
          return pressure.state().otherBytes() == 0;
        });
  }
}
