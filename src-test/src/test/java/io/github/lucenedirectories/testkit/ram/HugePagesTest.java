package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Huge pages: tried, required and never. */
@LuceneTestCase.SuppressFileSystems("*") // the kernel's files
public class HugePagesTest extends LibraryTestCase {

  private static final Path MODE = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
  private static final int FILE_BYTES = 16 << 20;
  private static final long LIMIT_BYTES = 64L << 20;

  private static RamDirectory open(HugePages pages) throws IOException {
    return RamDirectory.builder().maxBytes(LIMIT_BYTES).hugePages(pages).build();
  }

  private static long coverage(RamDirectory directory) throws IOException {
    byte[] bytes = randomBytes(FILE_BYTES);
    write(directory, "file", bytes);
    assertArrayEquals(bytes, read(directory, "file"));
    return directory.memoryUsage().hugePageBytes();
  }

  private static boolean available() throws IOException {
    return TestMode.current().nativeAccess()
        && Files.exists(MODE)
        && !Files.readString(MODE).contains("[never]");
  }

  public void testNever() throws IOException {
    try (RamDirectory directory = open(HugePages.NEVER)) {
      long covered = coverage(directory);
      // A kernel that gives them unasked is not told otherwise in modes without native calls.
      boolean unasked = Files.exists(MODE) && Files.readString(MODE).contains("[always]");
      assertTrue("covered=" + covered, covered == 0 || unasked);
    }
  }

  /** Trying fails nowhere. */
  public void testTry() throws IOException {
    try (RamDirectory directory = open(HugePages.TRY)) {
      long covered = coverage(directory);
      assertTrue("covered=" + covered, covered >= 0 && covered <= LIMIT_BYTES);
    }
  }

  public void testRequiredWhereThereAreNone() throws IOException {
    assumeFalse("huge pages can be had", available());
    Exception e = expectThrows(Exception.class, () -> open(HugePages.REQUIRE).close());
    assertTrue(e.toString(), e.toString().contains("huge pages"));
  }

  public void testRequired() throws IOException {
    assumeTrue("no huge pages", available());
    try (RamDirectory directory = open(HugePages.REQUIRE)) {
      long covered = coverage(directory);
      assertTrue("covered=" + covered, covered >= FILE_BYTES / 2);
    }
  }
}
