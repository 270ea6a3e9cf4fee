// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** The metrics of every directory. */
public class DirectoryMetricsTest extends LibraryTestCase {

  private static final int BYTES = 100_000;

  private static double value(Directory directory, String name) {
    Double value = DirectoryMetrics.of(directory).metrics().get(name);
    assertNotNull(name, value);
    return value;
  }

  private static Directory pools() throws IOException {
    return PmemDirectory.builder(createTempDir())
        .engine(PmemEngine.JDK)
        .mode(PmemMode.FILE)
        .initialBytes(4 << 20)
        .poolFileBytes(4 << 20)
        .build();
  }

  public void testFiles() throws IOException {
    Path folder = createTempDir();
    try (Directory directory = new HybridDirectory(folder)) {
      write(directory, "_0.doc", new byte[BYTES]);
      write(directory, "_0.fdt", new byte[BYTES]);
      assertEquals(0, value(directory, "syncs"), 0);
      directory.sync(List.of("_0.doc", "_0.fdt"));
      assertEquals(2, value(directory, "syncs"), 0);
      assertTrue(value(directory, "sync.seconds") > 0);
      assertEquals(0, value(directory, "suspect.files"), 0);
      double before = value(directory, "mappings");
      try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        in.readByte();
        double mapped = value(directory, "mappings") - before;
        assertTrue("mapped " + mapped, mapped >= 0 && mapped <= 3);
      }
      assertTrue(value(directory, "mappings.limit") > 1_000);
      assertTrue(value(directory, "page.cache.bytes") > 0);
    }
  }

  public void testMemory() throws IOException {
    try (Directory below = new NioDirectory(createTempDir());
        Directory nrt = new NrtCacheDirectory(below, 1, 8);
        Directory ram = RamDirectory.builder().maxBytes(16 << 20).build()) {
      write(ram, "_0.doc", new byte[BYTES]);
      write(ram, "_1.doc", new byte[BYTES]);
      assertEquals(16 << 20, value(ram, "ram.max.bytes"), 0);
      assertTrue(value(ram, "memory.file.bytes.doc") >= 2 * BYTES);
      assertTrue(value(ram, "ram.used.bytes") >= value(ram, "memory.file.bytes.doc"));
      assertTrue(value(ram, "ram.peak.bytes") >= value(ram, "ram.used.bytes"));
      assertEquals(8 << 20, value(nrt, "nrt.max.bytes"), 0);
      assertEquals("of the directory below", 0, value(nrt, "syncs"), 0);
    }
  }

  public void testBlockCacheBehindAWrapper() throws IOException {
    try (BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build();
        Directory directory =
            new FilterDirectory(
                new BlockCacheDirectory(new NioDirectory(createTempDir()), cache)) {}) {
      write(directory, "_0.doc", new byte[BYTES]);
      read(directory, "_0.doc");
      assertEquals(1 << 20, value(directory, "cache.max.bytes"), 0);
      assertEquals(metric(cache, "cache.misses.doc"), (long) value(directory, "cache.misses.doc"));
      assertTrue(metric(cache, "cache.misses") > 0);
      assertEquals(BYTES, value(directory, "cache.fetched.bytes.doc"), 0);
      assertEquals(0, value(directory, "syncs"), 0);
    }
  }

  public void testPersistentMemory() throws IOException {
    try (Directory directory = pools()) {
      double free = value(directory, "pmem.free.bytes");
      write(directory, "_0.doc", new byte[BYTES]);
      assertTrue(value(directory, "pmem.free.bytes") <= free - BYTES);
      assertTrue(value(directory, "pmem.total.bytes") >= free);
    }
  }

  public void testProcess() throws IOException {
    MetricSource process = DirectoryMetrics.ofProcess();
    long before = metric(process, "read.bytes.postings");
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.doc", new byte[BYTES]);
      try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        in.readBytes(new byte[BYTES], 0, BYTES);
        assertEquals(BYTES, metric(process, "read.bytes.postings") - before);
        assertTrue(metric(process, "open.descriptors") >= 1);
        Names names = new Names();
        process.report(names);
        assertEquals(Set.of("open.descriptors", "mapped.bytes", "memory.bytes"), names.gauges);
      }
    }
  }

  public void testOtherDirectoriesHaveNone() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      assertEquals(Map.of(), DirectoryMetrics.of(directory).metrics());
    }
  }

  private static final class Names implements MetricSource.Sink {
    private final Set<String> gauges = new TreeSet<>();
    private final Set<String> counters = new TreeSet<>();

    @Override
    public void gauge(String name, String kind, double value) {
      gauges.add(name);
    }

    @Override
    public void counter(String name, String kind, double value) {
      counters.add(name);
    }
  }

  /** Every metric is on the guide's page. */
  public void testGuideNamesEveryMetric() throws IOException {
    Names names = new Names();
    try (BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build();
        Directory cached = new BlockCacheDirectory(new HybridDirectory(createTempDir()), cache);
        Directory nrt = new NrtCacheDirectory(new NioDirectory(createTempDir()), 1, 8);
        Directory ram = new RamDirectory();
        Directory pmem = pools()) {
      write(cached, "_0.doc", new byte[BYTES]);
      read(cached, "_0.doc");
      for (Directory each : List.of(cached, nrt, ram, pmem)) {
        DirectoryMetrics.of(each).report(names);
      }
      DirectoryMetrics.ofProcess().report(names);
    }
    String page = Files.readString(Project.root().resolve("docs/guide/operating.md"));
    List<String> missing = new ArrayList<>(names.gauges);
    missing.addAll(names.counters);
    missing.removeIf(name -> page.contains("`" + name + "`"));
    assertEquals(List.of(), missing);
  }
}
