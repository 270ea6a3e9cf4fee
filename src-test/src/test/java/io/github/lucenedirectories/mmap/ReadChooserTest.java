package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.mmap.MemoryDemand.Level;
import io.github.lucenedirectories.mmap.MemoryDemand.State;
import java.util.Map;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Which files are read in which way, from the memory, what is read, and their contexts. */
public class ReadChooserTest extends LuceneTestCase {

  private static final long MIB = 1L << 20;
  private static final IOContext STORED = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext VECTORS =
      IOContext.DEFAULT.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  private static State state(long otherMib, long memoryMib, int churn) {
    return new State(0, otherMib * MIB, memoryMib * MIB, churn);
  }

  public void testLevels() {
    for (int churn = 0; churn <= 2; churn++) {
      assertEquals(Level.PLENTY, state(90, 100, churn).level());
      assertEquals(Level.STARVED, state(271, 100, churn).level());
    }
    assertEquals(Level.SCARCE, state(91, 100, 0).level());
    assertEquals(Level.CHURNING, state(91, 100, 1).level());
    assertEquals(Level.STARVED, state(91, 100, 2).level());
    assertEquals(Level.SCARCE, state(270, 100, 0).level());
  }

  public void testWays() {
    requireWays(state(50, 100, 2), "MAPPED MAPPED MAPPED MAPPED");
    requireWays(state(200, 100, 0), "MAPPED MAPPED_RANDOM MAPPED POSITIONAL");
    requireWays(state(200, 100, 1), "POSITIONAL POSITIONAL MAPPED POSITIONAL");
    requireWays(state(200, 100, 2), "POSITIONAL POSITIONAL POSITIONAL POSITIONAL");
    requireWays(state(500, 100, 0), "POSITIONAL POSITIONAL POSITIONAL POSITIONAL");
  }

  /** Of postings, stored fields, vectors and what is merged. */
  private static void requireWays(State memory, String ways) {
    ReadChooser chooser = new ReadChooser(Map.of(), true);
    StringBuilder found = new StringBuilder();
    for (IOContext context : new IOContext[] {IOContext.DEFAULT, STORED, VECTORS, MERGE}) {
      ReadChoice choice = chooser.choose("_0.doc", context, memory);
      found.append(found.isEmpty() ? "" : " ").append(choice.way());
      assertFalse("the memory may change", choice.fixed());
      assertEquals(
          "opened files follow",
          choice.way() == ReadWay.POSITIONAL,
          ReadChooser.isByPositions(memory.level(), context));
    }
    assertEquals(memory.toString(), ways, found.toString());
  }

  public void testNoMemoryChangesTheseWays() {
    for (State memory : new State[] {state(50, 100, 0), state(200, 100, 1), state(500, 100, 0)}) {
      ReadChoice once =
          new ReadChooser(Map.of(), true).choose("_0.doc", IOContext.READONCE, memory);
      ReadChoice elsewhere =
          new ReadChooser(Map.of(), false).choose("_0.doc", IOContext.DEFAULT, memory);
      ReadChoice option =
          new ReadChooser(Map.of("doc", ReadWay.MAPPED), true).choose("_0.doc", MERGE, memory);
      assertTrue(once.fixed() && once.way() == ReadWay.POSITIONAL);
      assertTrue(elsewhere.fixed() && elsewhere.way() == ReadWay.POSITIONAL);
      assertTrue(option.fixed() && option.way() == ReadWay.MAPPED);
    }
  }
}
