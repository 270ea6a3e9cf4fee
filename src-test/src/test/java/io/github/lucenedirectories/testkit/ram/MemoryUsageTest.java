package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.MemoryUsage;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.util.Accountable;

/** What a {@code RamDirectory} says of its memory. */
public class MemoryUsageTest extends LibraryTestCase {

  private static final long LIMIT_BYTES = 64L << 20;
  private static final int FILE_BYTES = 16 << 20;
  private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  public void testReturnsToZero() throws IOException {
    for (HugePages pages : List.of(HugePages.NEVER, HugePages.TRY)) {
      try (RamDirectory directory =
          RamDirectory.builder().maxBytes(LIMIT_BYTES).hugePages(pages).build()) {
        Map<String, Integer> files = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
          String name = "_" + random().nextInt(20) + "." + (i % 2 == 0 ? "fdt" : "doc");
          if (files.remove(name) != null) {
            directory.deleteFile(name);
          } else {
            int length = random().nextInt(1 << random().nextInt(1, 21));
            write(directory, name, randomBytes(length));
            files.put(name, length);
          }
          check(directory, files);
        }
        for (String name : files.keySet()) {
          directory.deleteFile(name);
        }
        // What was deleted is freed in the background.
        await(() -> directory.ramBytesUsed() == 0);
        check(directory, Map.of());
        assertEquals(0, directory.memoryUsage().hugePageBytes());
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
      directory.deleteFile("_0.doc");
      // A child says what it is and how much, as in "fdt [300000 bytes]".
      Map<String, Long> kinds =
          directory.getChildResources().stream()
              .collect(
                  Collectors.toMap(
                      child -> child.toString().split(" ", 2)[0], Accountable::ramBytesUsed));
      assertFalse(kinds.toString(), kinds.containsKey("doc"));
      long stored = kinds.getOrDefault("fdt", 0L);
      assertTrue(kinds.toString(), stored >= 300_000 && stored < 350_000);
    }
  }

  /** Huge pages: tried, required and never. */
  public void testHugePages() throws IOException {
    String mode = Files.exists(MODE) ? Files.readString(MODE) : "[never]";
    boolean available = TestMode.current().nativeAccess() && !mode.contains("[never]");
    for (HugePages pages : HugePages.values()) {
      RamDirectory.Builder builder = RamDirectory.builder().maxBytes(LIMIT_BYTES).hugePages(pages);
      if (pages == HugePages.REQUIRE && !available) {
        Exception e = expectThrows(Exception.class, () -> builder.build().close());
        assertTrue(e.toString(), e.toString().contains("huge pages"));
        continue;
      }
      try (RamDirectory directory = builder.build()) {
        byte[] bytes = randomBytes(FILE_BYTES);
        write(directory, "file", bytes);
        assertArrayEquals(bytes, read(directory, "file"));
        long covered = directory.memoryUsage().hugePageBytes();
        boolean right =
            switch (pages) {
              // In modes without native calls a kernel gives them although they are not wanted.
              case NEVER -> covered == 0 || mode.contains("[always]");
              case TRY -> covered >= 0 && covered <= LIMIT_BYTES;
              case REQUIRE -> covered >= FILE_BYTES / 2;
            };
        assertTrue(pages + ": covered=" + covered, right);
      }
    }
  }
}
