package io.github.lucenedirectories.mmap;

import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.mmap.MemoryPressure.Level;
import io.github.lucenedirectories.mmap.MemoryPressure.State;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.util.Map;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MergeInfo;

/** Which files are read in which way, from the memory, what is read, and their contexts. */
public class AccessPolicyTest extends LibraryTestCase {

  private static final long MIB = 1L << 20;
  private static final IOContext STORED = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);
  private static final IOContext VECTORS =
      IOContext.DEFAULT.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  private static State state(long otherMib, long memoryMib, int thrashing) {
    return new State(0, otherMib * MIB, memoryMib * MIB, thrashing);
  }

  public void testLevels() {
    for (int thrashing = 0; thrashing <= 2; thrashing++) {
      assertEquals(Level.PLENTY, state(90, 100, thrashing).level());
      assertEquals(Level.STARVED, state(271, 100, thrashing).level());
    }
    assertEquals(Level.SCARCE, state(91, 100, 0).level());
    assertEquals(Level.THRASHING, state(91, 100, 1).level());
    assertEquals(Level.STARVED, state(91, 100, 2).level());
    assertEquals(Level.SCARCE, state(270, 100, 0).level());
  }

  public void testWays() {
    requireWays(state(50, 100, 2), "M M M M M M M");
    requireWays(state(200, 100, 0), "M R M M P M M");
    requireWays(state(200, 100, 1), "P P M P P M M");
    requireWays(state(200, 100, 2), "P P P P P M M");
    requireWays(state(500, 100, 0), "P P P P P M M");
  }

  /**
   * Of postings, stored fields and vectors that are opened for searches, and of these and temporary
   * vectors that a merge opens.
   */
  private static void requireWays(State memory, String ways) {
    AccessPolicy policy = new AccessPolicy(Map.of(), true);
    StringBuilder found = new StringBuilder();
    for (boolean merge : new boolean[] {false, true}) {
      for (String name : new String[] {"_0.doc", "_0.fdt", "_0.vec", "_0_queries_1.tmp"}) {
        if (!merge && name.endsWith("tmp")) {
          continue;
        }
        IOContext hinted =
            switch (name) {
              case "_0.fdt" -> STORED;
              case "_0.vec" -> VECTORS;
              default -> IOContext.DEFAULT;
            };
        IOContext context = merge ? MERGE : hinted;
        AccessChoice choice = policy.choose(name, context, memory);
        String way =
            switch (choice.mode()) {
              case MAPPED -> "M";
              case MAPPED_RANDOM -> "R";
              case POSITIONAL -> "P";
            };
        found.append(found.isEmpty() ? "" : " ").append(way);
        assertFalse("the memory may change", choice.fixed());
        assertEquals(
            "opened files follow",
            choice.mode() == AccessMode.POSITIONAL,
            AccessPolicy.isByPositions(memory.level(), FileKind.of(name, context), merge));
      }
    }
    assertEquals(memory.toString(), ways, found.toString());
  }

  public void testNoMemoryChangesTheseWays() {
    for (State memory : new State[] {state(50, 100, 0), state(200, 100, 1), state(500, 100, 0)}) {
      AccessChoice once =
          new AccessPolicy(Map.of(), true).choose("_0.doc", IOContext.READONCE, memory);
      AccessChoice elsewhere =
          new AccessPolicy(Map.of(), false).choose("_0.doc", IOContext.DEFAULT, memory);
      AccessChoice option =
          new AccessPolicy(Map.of("doc", AccessMode.MAPPED), true).choose("_0.doc", MERGE, memory);
      assertTrue(once.fixed() && once.mode() == AccessMode.POSITIONAL);
      assertTrue(elsewhere.fixed() && elsewhere.mode() == AccessMode.POSITIONAL);
      assertTrue(option.fixed() && option.mode() == AccessMode.MAPPED);
    }
  }
}
