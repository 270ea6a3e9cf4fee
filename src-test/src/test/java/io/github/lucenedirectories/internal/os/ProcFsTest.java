// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.ForbiddenFiles;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * What the kernel says of a process in files: the least limit of all groups that it lies in, on
 * machines made of files, the memory that is available, and what it has read.
 */
@LuceneTestCase.SuppressFileSystems("WindowsFS") // names with a backslash
public class ProcFsTest extends LibraryTestCase {

  private static final String UNLIMITED_1 = "9223372036854771712";
  private static final String TREE_1 = "sys/fs/cgroup/memory";
  private static final String TREE_2 = "sys/fs/cgroup";

  private Path root = Path.of("");

  @Override
  public void setUp() throws Exception {
    super.setUp();
    root = createTempDir();
  }

  /** Where the own group has no limit, that of a group above holds. */
  public void testLimitAbove() throws IOException {
    requireLimit(Long.MAX_VALUE);
    version2("/system.slice/search.service");
    requireLimit(Long.MAX_VALUE);
    put(TREE_2 + "/system.slice/search.service/memory.max", "max");
    requireLimit(700_000_000, TREE_2 + "/system.slice/memory.max", "700000000");
    requireLimit(600_000_000, TREE_2 + "/system.slice/memory.high", "600000000");
  }

  /** Of several limits the smallest holds, wherever it stands. */
  public void testLeastLimit() throws IOException {
    version2("/a/b/c");
    long least = Long.MAX_VALUE;
    for (String group : new String[] {"/a", "/a/b", "/a/b/c"}) {
      for (String file : new String[] {"/memory.max", "/memory.high"}) {
        long limit = random().nextLong(1L << 40);
        put(TREE_2 + group + file, "" + limit);
        least = Math.min(least, limit);
      }
    }
    requireLimit(least);
  }

  /** A container sees its own group as the top of the tree, or under the name of the host. */
  public void testContainer() throws IOException {
    put(TREE_2 + "/memory.max", "1000000");
    version2("/");
    requireLimit(1_000_000);
    version2("/docker/1234");
    requireLimit(1_000_000);
    version2("/docker/1234/child");
    requireLimit(500_000, TREE_2 + "/child/memory.max", "500000");
    version2("/../other");
    requireLimit(1_000_000);
  }

  /** Names with blanks, and others that are no text. */
  public void testNames() throws IOException {
    put("proc/self/cgroup", "");
    Files.write(
        root.resolve("proc/self/cgroup"),
        "1:name=m\u00e9dia:/\n0::/a b\n".getBytes(StandardCharsets.ISO_8859_1));
    requireLimit(700_000_000, TREE_2 + "/a b/memory.max", "700000000");
  }

  /** Trees of both versions: the one of version 1 counts memory. A name may have a colon. */
  public void testVersion1() throws IOException {
    put("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/pod:1/search\n0::/y\n");
    put(TREE_1 + "/pod:1/search/memory.limit_in_bytes", UNLIMITED_1);
    put(TREE_1 + "/pod:1/memory.limit_in_bytes", "800000000");
    put(TREE_1 + "/memory.limit_in_bytes", UNLIMITED_1);
    requireLimit(800_000_000);
    requireLimit(300_000_000, TREE_1 + "/pod:1/search/memory.limit_in_bytes", "300000000");
    // Above what is mounted.
    requireLimit(
        200_000_000,
        TREE_1 + "/pod:1/search/memory.stat",
        "cache 77\nhierarchical_memory_limit 200000000\n");
  }

  /** A container of version 1: its own group is the top of what it sees. */
  public void testContainerOfVersion1() throws IOException {
    put("proc/self/cgroup", "4:cpu,memory:/docker/1234\n0::/\n");
    requireLimit(300_000_000, TREE_1 + "/memory.limit_in_bytes", "300000000");
    requireLimit(300_000_000, "proc/self/cgroup", "4:cpu,memory:/\n");
  }

  /** Trees of version 1 that do not count memory, which the one of version 2 counts. */
  public void testHybridHierarchy() throws IOException {
    version2("/a");
    put("proc/self/cgroup", "2:cpu,cpuacct:/b\n1:name=systemd:/memory\n0::/a\n");
    put(TREE_2 + "/a/memory.max", "300000000");
    requireLimit(300_000_000, TREE_1 + "/memory/memory.limit_in_bytes", "5");
  }

  /** The limit of a running process changes, and may be no number. */
  public void testChangedLimit() throws IOException {
    version2("/a");
    Files.createDirectories(root.resolve(TREE_2 + "/a"));
    Cgroup group = Cgroup.find(root);
    for (String limit : new String[] {"300000000", "max", "", "200000000", "0"}) {
      put(TREE_2 + "/a/memory.max", limit);
      boolean none = limit.isEmpty() || limit.equals("max");
      assertEquals(none ? Long.MAX_VALUE : Long.parseLong(limit), group.maxBytes());
    }
  }

  /** What is free of a group, and of those above it, in either version. */
  public void testFree() throws IOException {
    for (boolean old : new boolean[] {true, false}) {
      root = createTempDir();
      put("proc/self/cgroup", old ? "4:memory:/a/b\n" : "0::/a/b\n");
      String tree = old ? TREE_1 : TREE_2;
      String used = old ? "/memory.usage_in_bytes" : "/memory.current";
      String limit = old ? "/memory.limit_in_bytes" : "/memory.max";
      put(tree + "/a/b" + limit, old ? String.valueOf(Long.MAX_VALUE - 4095) : "max");
      put(tree + "/a/b" + used, "100");
      long unlimited = Cgroup.find(root).freeBytes();
      assertTrue(unlimited + " free", unlimited > 1L << 60);
      put(tree + "/a" + limit, "1000");
      assertTrue("used is unknown", Cgroup.find(root).freeBytes() < 0);
      put(tree + "/a" + used, "300");
      assertEquals("of the group above", 700, Cgroup.find(root).freeBytes());
      put(tree + "/a/b" + limit, "150");
      assertEquals(50, Cgroup.find(root).freeBytes());
      put(tree + "/a/b" + used, "160");
      assertEquals("more than it may", -10, Cgroup.find(root).freeBytes());
      put(tree + "/a/b/memory.high", "80");
      assertEquals(old ? -10 : -80, Cgroup.find(root).freeBytes());
    }
    root = createTempDir();
    assertEquals("no group", Long.MAX_VALUE, Cgroup.find(root).freeBytes());
  }

  /** What may not be read tells nothing. */
  public void testForbidden() throws IOException {
    version2("/a");
    requireLimit(300_000_000, TREE_2 + "/a/memory.max", "300000000");
    Path meminfo = root.resolve("meminfo");
    put("meminfo", "MemAvailable: 10 kB\n");
    assertEquals(10 << 10, AvailableMemory.availableOnMachine(meminfo));
    root = ForbiddenFiles.of(root);
    requireLimit(Long.MAX_VALUE);
    Path forbidden = ForbiddenFiles.of(meminfo);
    assertTrue(AvailableMemory.availableOnMachine(forbidden) > 1L << 60);
    expectThrows(IOException.class, () -> TransparentHugePages.coveredBytes(forbidden, 0, 1));
    assertTrue(
        TransparentHugePages.whyNone(root).orElse("").contains(SecurityException.class.getName()));
  }

  private void version2(String group) throws IOException {
    put("proc/self/cgroup", "0::" + group + "\n");
  }

  private void put(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** The limit that holds when a file has this text. */
  private void requireLimit(long bytes, String file, String text) throws IOException {
    put(file, text);
    requireLimit(bytes);
  }

  private void requireLimit(long bytes) {
    assertEquals(bytes, Cgroup.find(root).maxBytes());
  }

  public void testDefaultLimit() {
    // Leaves room for the heap and more.
    assertEquals(5L << 30, AvailableMemory.maxBytes(8L << 30, 2L << 30));
    assertEquals("a useful amount", 64 << 20, AvailableMemory.maxBytes(1L << 30, 2L << 30));
    long limit = AvailableMemory.defaultMaxBytes();
    assertTrue("never unlimited", limit >= 64 << 20 && limit < 1L << 50);
  }

  public void testAvailable() throws IOException {
    String known = "MemTotal:  9999 kB\nMemAvailable:    2048 kB\n";
    Path facts = Files.writeString(createTempFile(), known);
    assertEquals(2 << 20, AvailableMemory.availableOnMachine(facts));
    for (String unknown : new String[] {"MemTotal:  9999 kB\n", "MemAvailable: many\n"}) {
      Files.writeString(facts, unknown);
      assertTrue(AvailableMemory.availableOnMachine(facts) > 1L << 60);
    }
  }

  public void testAnonymous() throws IOException {
    Path facts = Files.writeString(createTempFile(), "RssFile:\t 1 kB\nRssAnon:\t    2048 kB\n");
    assertEquals(2 << 20, AvailableMemory.anonymousBytes(facts));
    assertEquals(0, AvailableMemory.anonymousBytes(facts.resolveSibling("none")));
  }

  public void testFreeHere() {
    long machine = ProcFs.number(Path.of("/proc/meminfo"), "MemFree:").orElse(0) << 10;
    Runtime runtime = Runtime.getRuntime();
    long heap = runtime.maxMemory() - runtime.totalMemory();
    long most = Math.min(machine, Cgroup.ofProcess().freeBytes()) - heap;
    // Other processes take and free memory meanwhile.
    long free = AvailableMemory.freeBytes();
    assertTrue(free + " of " + most, Math.abs(free - most) < 1 << 28);
  }

  /** A JVM takes memory beside its heap, in a small container more than a sixteenth of it. */
  public void testNativeMemoryLeavesLessToThePageCache() {
    long plenty = Long.MAX_VALUE;
    assertEquals(1600 - 100 - 500, AvailableMemory.pageCacheBytes(1600, plenty, 0, 500, 0));
    assertEquals(1600 - 100 - 500, AvailableMemory.pageCacheBytes(1600, plenty, 600, 500, 0));
    assertEquals(1600 - 101 - 500, AvailableMemory.pageCacheBytes(1600, plenty, 601, 500, 0));
    assertEquals(1600 - 400 - 500 - 50, AvailableMemory.pageCacheBytes(1600, plenty, 900, 500, 50));
    assertEquals(70 - 50, AvailableMemory.pageCacheBytes(1600, 70, 900, 500, 50));
    assertEquals(0, AvailableMemory.pageCacheBytes(1600, plenty, 1500, 500, 200));
  }

  public void testFilesInMemoryLeaveLessToThePageCache() {
    LiveResource.MEMORY_BYTES.add(1L << 50);
    try {
      assertEquals(0, AvailableMemory.pageCacheBytes());
    } finally {
      LiveResource.MEMORY_BYTES.add(-(1L << 50));
    }
  }

  public void testReads() throws IOException {
    Path file = Files.write(createTempFile(), new byte[1 << 24]);
    assertTrue(ProcFs.number(file.resolveSibling("none"), "read_bytes:").isEmpty());
    assumeTrue("Linux tells", Files.isReadable(Path.of("/proc/self/io")));
    long before = ProcFs.deviceReadBytes().orElseThrow();
    assertEquals(1 << 24, Files.readAllBytes(file).length);
    long since = ProcFs.deviceReadBytes().orElseThrow() - before;
    assertTrue("from the page cache: " + since, since < 1 << 24);
  }
}
