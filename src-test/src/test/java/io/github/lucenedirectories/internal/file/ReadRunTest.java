package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.testkit.LibraryTestCase;

/** How much a sequential run reads at once. */
public class ReadRunTest extends LibraryTestCase {

  public void testGrows() {
    ReadSizes sizes = new ReadSizes(1 << random().nextInt(3, 13));
    ReadRun run = new ReadRun(sizes);
    for (int jump = 0; jump < 3; jump++) {
      assertEquals(sizes.randomBytes(), run.nextBytes());
      long begin = jump * 10L * ReadSizes.LONG_RUN_BYTES;
      long at = begin;
      while (at < begin + 2 * ReadSizes.LONG_RUN_BYTES) {
        int bytes = run.nextBytes();
        assertTrue(bytes <= sizes.largest(at - begin >= ReadSizes.LONG_RUN_BYTES));
        run.grow(bytes);
        at += bytes;
        run.endedAt(at);
        assertTrue(run.goesOn(at, 1));
        assertFalse(run.goesOn(at + (1 << 13), 1));
      }
      assertEquals(sizes.largest(true), run.nextBytes());
      run.restart();
    }
  }
}
