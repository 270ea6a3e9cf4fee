package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.MemoryUsage;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.Accountable;

/** What a {@code RamDirectory} says of its memory. */
public class MemoryUsageTest extends LibraryTestCase {

  private static final long LIMIT_BYTES = 64L << 20;
  private static final long PATIENCE_MILLIS = 5_000;

  /** How many bytes are used once what was deleted has been freed in the background. */
  static long drained(RamDirectory directory) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    long used = directory.ramBytesUsed();
    long sameSince = System.nanoTime();
    while (System.nanoTime() < deadline && System.nanoTime() - sameSince < 200_000_000) {
      Thread.sleep(5);
      long now = directory.ramBytesUsed();
      if (now != used) {
        used = now;
        sameSince = System.nanoTime();
      }
    }
    return used;
  }

  public void testReturnsToZero() throws Exception {
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory =
          RamDirectory.builder().maxBytes(LIMIT_BYTES).hugePages(pages).build()) {
        check(directory, Map.of());
        for (int round = 0; round < 5; round++) {
          Map<String, Integer> files = new TreeMap<>();
          List<IndexInput> inputs = new ArrayList<>();
          for (int i = 0; i < 60; i++) {
            step(directory, files, inputs, i);
            check(directory, files);
          }
          for (IndexInput in : inputs) {
            in.close();
          }
          for (String name : files.keySet()) {
            directory.deleteFile(name);
          }
          check(directory, Map.of());
          assertEquals(0, drained(directory));
          assertEquals(0, directory.ramBytesUsed());
          assertEquals(0, directory.memoryUsage().hugePageBytes());
        }
      }
    }
  }

  private static void step(
      RamDirectory directory, Map<String, Integer> files, List<IndexInput> inputs, int i)
      throws IOException {
    switch (random().nextInt(5)) {
      case 0 -> {
        if (!files.isEmpty()) {
          String name = List.copyOf(files.keySet()).get(random().nextInt(files.size()));
          inputs.add(directory.openInput(name, IOContext.DEFAULT));
          if (random().nextBoolean()) {
            directory.deleteFile(name);
            files.remove(name);
          }
        }
      }
      case 1 -> {
        if (!inputs.isEmpty()) {
          inputs.remove(random().nextInt(inputs.size())).close();
        }
      }
      default -> {
        String name = "_" + i + "." + List.of("fdt", "doc", "cfs").get(random().nextInt(3));
        int length = random().nextInt(1 << random().nextInt(1, 21));
        write(directory, name, randomBytes(length));
        files.put(name, length);
      }
    }
  }

  /** The parts sum to the whole, and the files take no less than their bytes. */
  private static void check(RamDirectory directory, Map<String, Integer> files) throws IOException {
    MemoryUsage usage = directory.memoryUsage();
    long bytes = files.values().stream().mapToLong(Integer::longValue).sum();
    String shown = usage + ", files of " + bytes + " bytes";
    assertEquals(shown, LIMIT_BYTES, usage.maxBytes());
    assertTrue(shown, usage.usedBytes() >= bytes);
    assertTrue(shown, usage.peakBytes() >= usage.usedBytes());
    assertTrue(shown, usage.peakBytes() <= usage.maxBytes());
    assertTrue(shown, usage.freeBytes() >= 0);
    assertTrue(shown, usage.usedBytes() + usage.freeBytes() <= usage.maxBytes());
    assertTrue(shown, usage.residentFreeBytes() >= 0);
    assertTrue(shown, usage.fragmentation() >= 0 && usage.fragmentation() <= 1);
    // What was deleted is freed in the background, so what is used falls while it is asked.
    long whole = directory.ramBytesUsed();
    Collection<Accountable> children = directory.getChildResources();
    long parts = children.stream().mapToLong(Accountable::ramBytesUsed).sum();
    long least = directory.ramBytesUsed();
    String sum = children + " sum to " + parts + ", whole: " + whole + ", then " + least;
    assertTrue(sum, whole >= parts && parts >= least);
    assertTrue(least + " of " + shown, least >= bytes);
  }

  public void testChildrenAreFileKinds() throws IOException {
    try (RamDirectory directory = RamDirectory.builder().maxBytes(LIMIT_BYTES).build()) {
      write(directory, "_0.fdt", new byte[100_000]);
      write(directory, "_1.fdt", new byte[200_000]);
      write(directory, "_0.doc", new byte[50_000]);
      write(directory, "segments_1", new byte[1_000]);
      assertTrue(kinds(directory).containsAll(List.of("fdt", "doc")));
      Accountable stored =
          directory.getChildResources().stream()
              .filter(child -> child.toString().contains("fdt"))
              .findFirst()
              .orElseThrow();
      assertTrue(stored.toString(), stored.ramBytesUsed() >= 300_000);
      assertTrue(stored.toString(), stored.ramBytesUsed() < 350_000);
      directory.deleteFile("_0.doc");
      assertFalse(kinds(directory).toString(), kinds(directory).contains("doc"));
    }
  }

  private static List<String> kinds(RamDirectory directory) {
    // As in "fdt [100 bytes]".
    return directory.getChildResources().stream()
        .map(child -> child.toString().split(" ", 2)[0])
        .toList();
  }

  /** Without a limit set there is one nevertheless: what the machine or the container has left. */
  public void testDefaultLimit() throws IOException {
    try (RamDirectory directory = new RamDirectory()) {
      long limit = directory.memoryUsage().maxBytes();
      assertTrue("limit=" + limit, limit > 0 && limit < 1L << 50);
    }
  }
}
