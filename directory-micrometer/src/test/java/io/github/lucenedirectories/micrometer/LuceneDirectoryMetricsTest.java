// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.metrics.DirectoryMetrics;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.uri.LuceneDirectories;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters against the metrics, and as Prometheus gets them. */
class LuceneDirectoryMetricsTest {

  private static final int BYTES = 100_000;

  @TempDir private Path folder;

  private static void write(Directory directory, String name) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
    directory.sync(List.of(name));
  }

  private static void read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      in.readBytes(new byte[BYTES], 0, BYTES);
    }
  }

  @Test
  void everyFigureIsAMeterWithItsValue() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Directory directory = new HybridDirectory(folder);
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("books", directory)) {
      meters.bindTo(registry);
      write(directory, "_0.fdt");
      Thread.sleep(20);
      Map<String, Double> metrics = DirectoryMetrics.of(directory).metrics();
      assertTrue(metrics.size() > 8, metrics.toString());
      assertEquals(metrics.size(), registry.getMeters().size());
      assertEquals(
          1,
          registry
              .get("lucene.directory.syncs")
              .tag("directory", "books")
              .functionCounter()
              .count());
      assertTrue(registry.get("lucene.directory.mappings.limit").gauge().value() > 1_000);
      assertThrows(IllegalStateException.class, () -> meters.bindTo(registry));
      LuceneDirectoryMetrics second = LuceneDirectoryMetrics.of("books", directory);
      assertThrows(IllegalStateException.class, () -> second.bindTo(registry));
      assertEquals(metrics.size(), registry.getMeters().size());
    }
    assertEquals(List.of(), registry.getMeters());
  }

  /** The kinds of a block cache appear as files are read. */
  @Test
  void metricsThatAppearLater() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build();
        Directory directory = new BlockCacheDirectory(new NioDirectory(folder), cache);
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("books", directory)) {
      meters.bindTo(registry);
      write(directory, "_0.doc");
      read(directory, "_0.doc");
      Thread.sleep(20);
      registry.scrape();
      String scraped = registry.scrape();
      double misses =
          DirectoryMetrics.of(directory).metrics().getOrDefault("cache.misses.doc", 0.0);
      assertTrue(misses > 0);
      String expected =
          "lucene_directory_cache_misses_total{directory=\"books\",kind=\"doc\"} " + misses;
      assertTrue(scraped.contains(expected), scraped);
      assertTrue(
          scraped.contains("lucene_directory_cache_used_bytes{directory=\"books\"}"), scraped);
      assertTrue(
          scraped.contains("lucene_directory_syncs_total{directory=\"books\"} 1.0"), scraped);
    }
  }

  /** The kinds of files in memory come and go. */
  @Test
  void metricsThatVanish() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Directory directory = new RamDirectory();
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("memory", directory)) {
      write(directory, "_0.doc");
      write(directory, "_0.fdt");
      meters.bindTo(registry);
      assertTrue(memoryOf(registry, "doc") >= BYTES);
      directory.deleteFile("_0.doc");
      Thread.sleep(20);
      assertEquals(Double.NaN, memoryOf(registry, "doc"));
      assertTrue(memoryOf(registry, "fdt") >= BYTES);
      write(directory, "_1.doc");
      Thread.sleep(20);
      assertTrue(memoryOf(registry, "doc") >= BYTES);
    }
  }

  private static double memoryOf(SimpleMeterRegistry registry, String kind) {
    return registry.get("lucene.directory.memory.file.bytes").tag("kind", kind).gauge().value();
  }

  /** What two directories in a chain report by the same name is one meter with their sum. */
  @Test
  void sameFigureTwice() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Directory below = new NrtCacheDirectory(new NioDirectory(folder), 1, 2);
        Directory directory = new NrtCacheDirectory(below, 1, 3);
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("books", directory)) {
      meters.bindTo(registry);
      assertEquals(5 << 20, registry.get("lucene.directory.nrt.max.bytes").gauge().value());
    }
  }

  /** Every metric of the dashboard is one that a directory or the process reports. */
  @Test
  void dashboardNamesFiguresThatExist() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Map<String, String> uris =
        Map.of(
            "hybrid", "hybrid:" + folder.resolve("hybrid"),
            "cached", "cached:nio:" + folder.resolve("cached") + "?cache=1m",
            "ram", "ram:?max=4m",
            "pmem", "pmem:" + folder.resolve("pmem") + "?engine=jdk&initial=4m&poolFile=4m");
    List<AutoCloseable> open = new ArrayList<>();
    try {
      for (Map.Entry<String, String> each : uris.entrySet()) {
        Directory directory = LuceneDirectories.open(each.getValue());
        open.addFirst(directory);
        write(directory, "_0.doc");
        read(directory, "_0.doc");
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of(each.getKey(), directory);
        open.addFirst(meters);
        meters.bindTo(registry);
        if (each.getKey().equals("hybrid")) {
          LuceneDirectoryMetrics residency =
              LuceneDirectoryMetrics.ofResidency("hybrid", directory);
          open.addFirst(residency);
          residency.bindTo(registry);
        }
      }
      LuceneDirectoryMetrics process = LuceneDirectoryMetrics.ofProcess();
      open.addFirst(process);
      process.bindTo(registry);
      String scraped = registry.scrape();
      Matcher names =
          Pattern.compile("lucene_directory_\\w+")
              .matcher(Files.readString(Path.of("grafana-dashboard.json")));
      int count = 0;
      for (; names.find(); count++) {
        assertTrue(
            scraped.contains('\n' + names.group() + '{')
                || scraped.contains('\n' + names.group() + ' '),
            names.group());
      }
      assertTrue(count > 20, "names: " + count);
    } finally {
      for (AutoCloseable each : open) {
        each.close();
      }
    }
  }

  @Test
  void processCountsReadsOnceItIsBound() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (LuceneDirectoryMetrics process = LuceneDirectoryMetrics.ofProcess();
        Directory directory = new NioDirectory(folder);
        Directory memory = new RamDirectory();
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("memory", memory)) {
      process.bindTo(registry);
      meters.bindTo(registry);
      write(directory, "_0.doc");
      write(memory, "_0.doc");
      double before = bytes(registry);
      read(directory, "_0.doc");
      Thread.sleep(20);
      assertEquals(BYTES, bytes(registry) - before);
      assertTrue(
          registry.scrape().contains("lucene_directory_ram_used_bytes{directory=\"memory\"}"));
    }
  }

  @Test
  void residency() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Directory directory = new NioDirectory(folder);
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.ofResidency("books", directory)) {
      meters.bindTo(registry);
      assertEquals(0, residency(registry, "index"));
      write(directory, "_0.doc");
      Thread.sleep(20);
      assertEquals(BYTES, residency(registry, "index"));
      assertEquals(BYTES, residency(registry, "resident"), "just written");
      write(directory, "_1.doc");
      Files.write(folder.resolve("other"), new byte[BYTES]);
      Thread.sleep(20);
      assertEquals(2 * BYTES, residency(registry, "index"));
      directory.deleteFile("_0.doc");
      try (RandomAccessFile holes = new RandomAccessFile(folder.resolve("_1.doc").toFile(), "rw")) {
        holes.setLength(3 * BYTES);
      }
      Thread.sleep(20);
      assertEquals(3 * BYTES, residency(registry, "index"));
      double resident = residency(registry, "resident");
      assertTrue(resident >= BYTES && resident < 2 * BYTES, "never read: " + resident);
    }
    assertEquals(List.of(), registry.getMeters());
  }

  private static double residency(SimpleMeterRegistry registry, String name) {
    return registry
        .get("lucene.directory." + name + ".bytes")
        .tag("directory", "books")
        .gauge()
        .value();
  }

  private static double bytes(PrometheusMeterRegistry registry) {
    return registry
        .get("lucene.directory.read.bytes")
        .tag("kind", "postings")
        .functionCounter()
        .count();
  }
}
