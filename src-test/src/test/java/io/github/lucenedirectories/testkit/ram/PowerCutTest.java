package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.DurableRun;
import java.io.IOException;

/** Commits through {@code RamDirectory} to a disk whose power is cut at any operation. */
public class PowerCutTest extends LibraryTestCase {

  /** What would be found, looked at before each operation. */
  public void testBeforeEachOperation() throws IOException {
    for (Backed backed : Backed.values()) {
      for (int i = atLeast(2); i > 0; i--) {
        int operations = DurableRun.lookAtEachOperation(backed.opener(), random().nextLong());
        assertTrue("operations=" + operations, operations > 50);
      }
    }
  }

  /** The power goes, and a new directory goes on with what is found. */
  public void testGoOnAfterPowerCut() throws IOException {
    for (int i = atLeast(12); i > 0; i--) {
      Backed backed = random().nextBoolean() ? Backed.AT_SYNC : Backed.WRITE_BEHIND;
      DurableRun.cutPowerAt(random().nextInt(400), backed.opener(), random().nextLong());
    }
  }
}
