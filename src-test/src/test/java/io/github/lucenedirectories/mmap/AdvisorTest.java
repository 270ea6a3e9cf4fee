package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.Advisor.Random;
import io.github.lucenedirectories.testkit.LibraryTestCase;

/** For which files the kernel is advised that reads are random. */
public class AdvisorTest extends LibraryTestCase {

  public void testKinds() {
    Advisor advisor = new Advisor(Random.NONE);
    check(advisor, false, false, false);
    advisor.change(Random.STORED);
    // A search reads thousands of vectors: without what lies around them each is a page fault.
    check(advisor, true, false, false);
    advisor.change(Random.ALL);
    check(advisor, true, true, true);
  }

  private static void check(Advisor advisor, boolean stored, boolean vectors, boolean other) {
    assertEquals(stored, advisor.isRandom(FileKind.STORED));
    assertEquals(vectors, advisor.isRandom(FileKind.VECTORS));
    assertEquals(other, advisor.isRandom(FileKind.OTHER));
  }
}
