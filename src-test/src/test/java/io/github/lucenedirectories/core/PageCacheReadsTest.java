package io.github.lucenedirectories.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What the kernel is asked for, and what is taken off. */
public class PageCacheReadsTest extends LuceneTestCase {

  public void testKernelFacts() throws IOException {
    Path facts = createTempFile();
    Files.writeString(facts, "rchar: 5\nread_bytes: 4096\nMemAvailable:   12 kB\nother: x\n");
    assertEquals(4_096, KernelFacts.number(facts, "read_bytes:").orElseThrow());
    assertEquals(12, KernelFacts.number(facts, "MemAvailable:").orElseThrow());
    assertTrue(KernelFacts.number(facts, "write_bytes:").isEmpty());
    assertTrue(KernelFacts.number(facts, "other:").isEmpty());
    assertTrue(KernelFacts.number(facts.resolveSibling("none"), "read_bytes:").isEmpty());
  }

  public void testDirectReadsDoNotCount() {
    assumeTrue("Linux tells", Files.isReadable(Path.of("/proc/self/io")));
    long before = PageCacheReads.bytes().orElseThrow();
    PageCacheReads.addDirect(1L << 40);
    try {
      assertTrue(PageCacheReads.bytes().orElseThrow() < before);
    } finally {
      PageCacheReads.addDirect(-(1L << 40));
    }
  }
}
