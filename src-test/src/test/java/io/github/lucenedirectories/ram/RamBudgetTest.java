// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import org.apache.lucene.store.Directory;

/** Directories that share a limit of memory. */
public class RamBudgetTest extends LibraryTestCase {

  private static final int FILE_BYTES = 6 << 20;

  private final byte[] bytes = randomBytes(FILE_BYTES + random().nextInt(1 << 16));

  private final RamBudget budget = new RamBudget(Long.MAX_VALUE);

  private long limitBytes;

  /** Room for one file, also where it is there twice while it is completed, and not for two. */
  @Override
  public void setUp() throws Exception {
    super.setUp();
    try (RamDirectory alone = new RamDirectory()) {
      write(alone, "a", bytes);
      limitBytes = metric(alone, "ram.peak.bytes") + (1 << 20);
    }
    budget.setMaxBytes(limitBytes);
  }

  private RamDirectory open(String name) throws IOException {
    return RamDirectory.builder().name(name).budget(budget).build();
  }

  /** What one directory holds the other lacks, until it is deleted. */
  public void testShared() throws IOException {
    try (Directory first = open("first");
        Directory second = open("second")) {
      for (int round = 0; round < 3; round++) {
        write(first, "a", bytes);
        assertTrue(budget.toString(), budget.usedBytes() >= bytes.length);
        IOException e = expectThrows(IOException.class, () -> write(second, "b", bytes));
        String message = String.valueOf(e.getMessage());
        assertTrue(message, message.startsWith("memory limit reached: file=b, neededBytes="));
        assertTrue(message, message.contains("maxBytes=" + limitBytes + ": second;"));
        assertArrayEquals(bytes, read(first, "a"));
        first.deleteFile("a");
        // What the first one keeps for its next files is given back.
        write(second, "b", bytes);
        assertArrayEquals(bytes, read(second, "b"));
        second.deleteFile("b");
      }
    }
    assertEquals(0, budget.usedBytes());
  }

  /** A closed directory gives back what it held. */
  public void testClose() throws IOException {
    try (Directory second = open("second")) {
      try (Directory first = open("first")) {
        write(first, "a", bytes);
      }
      write(second, "b", bytes);
      assertTrue(budget.toString(), budget.usedBytes() < limitBytes);
    }
    assertEquals(0, budget.usedBytes());
  }

  /** A new limit holds from the next write on, and takes nothing away. */
  public void testLimitChanges() throws IOException {
    try (Directory directory = open("directory")) {
      write(directory, "a", bytes);
      budget.setMaxBytes(1 << 20);
      assertEquals(1 << 20, budget.maxBytes());
      expectThrows(IOException.class, () -> write(directory, "b", bytes));
      assertArrayEquals(bytes, read(directory, "a"));
      budget.setMaxBytes(4 * limitBytes);
      write(directory, "c", bytes);
      assertArrayEquals(bytes, read(directory, "c"));
    }
  }

  public void testRefused() {
    expectThrows(IllegalArgumentException.class, () -> new RamBudget(0));
    expectThrows(IllegalArgumentException.class, () -> budget.setMaxBytes(-1));
  }
}
