package io.github.lucenedirectories.mmap;

import static org.apache.lucene.store.DataAccessHint.RANDOM;

import io.github.lucenedirectories.core.NativeCalls.Advice;
import io.github.lucenedirectories.mmap.Advisor.Jumps;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What the kernel is told of which files. */
public class AdvisorTest extends LuceneTestCase {

  private static final IOContext STORED = IOContext.DEFAULT.withHints(RANDOM);
  private static final IOContext VECTORS =
      IOContext.DEFAULT.withHints(RANDOM, FileDataHint.KNN_VECTORS);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  public void testFilesThatJump() {
    check(Advisor.ALL, Advice.RANDOM, Advice.RANDOM);
    check(Advisor.NO_JUMPS, Advice.NORMAL, Advice.NORMAL);
    // A search reads thousands of vectors: without what lies around them each is a fault.
    check(Advisor.ALL_BUT_VECTORS, Advice.RANDOM, Advice.NORMAL);
  }

  public void testTellingAnew() {
    Advisor advisor = new Advisor(Jumps.OF_NONE);
    check(advisor, Advice.NORMAL, Advice.NORMAL);
    advisor.tell(Jumps.OF_ALL_BUT_VECTORS);
    check(advisor, Advice.RANDOM, Advice.NORMAL);
    advisor.tell(Jumps.OF_ALL);
    check(advisor, Advice.RANDOM, Advice.RANDOM);
  }

  private static void check(Advisor advisor, Advice stored, Advice vectors) {
    assertEquals(stored, advisor.adviceFor(STORED));
    assertEquals(vectors, advisor.adviceFor(VECTORS));
    assertEquals(Advice.NORMAL, advisor.adviceFor(IOContext.DEFAULT));
    assertEquals(Advice.SEQUENTIAL, advisor.adviceFor(MERGE));
  }
}
