// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.micrometer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.metrics.IoScope;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.DoubleStream;
import jdk.jfr.Recording;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What it costs to watch: meters that are scraped each second, a recording of all events, and a
 * scope for each query whose metrics are read, on an index in memory. It takes {@code
 * -Dcost.rounds=N} rounds of off, on, on, off, two seconds each, and prints the throughput with all
 * of it as a share of that without, by time and by processor time, which other programs disturb
 * less.
 */
@EnabledIfSystemProperty(named = "cost.rounds", matches = "\\d+")
class CostTest {

  private static final Logger LOG = Logger.getLogger(CostTest.class.getName());
  private static final int DOCUMENTS = 100_000;
  private static final int WORDS = 10_000;
  private static final double Z95 = 1.96;
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  @TempDir private Path folder;
  private final Random random = new Random(1);

  @ParameterizedTest
  @ValueSource(strings = {"NioDirectory", "HybridDirectory"})
  void watchedThroughput(String name) throws Exception {
    int rounds = Integer.getInteger("cost.rounds");
    try (Recording recording = new Recording();
        Directory directory =
            name.startsWith("Nio") ? new NioDirectory(folder) : new HybridDirectory(folder)) {
      write(directory);
      recording.start();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        double[][] ratios = new double[2][rounds];
        // The first rounds warm up.
        for (int round = -4; round < rounds; round++) {
          double[] off = run(recording, searcher, directory, false);
          double[] on = run(recording, searcher, directory, true);
          double[] on2 = run(recording, searcher, directory, true);
          double[] off2 = run(recording, searcher, directory, false);
          for (int i = 0; i < 2; i++) {
            ratios[i][Math.max(0, round)] = (on[i] + on2[i]) / (off[i] + off2[i]);
          }
        }
        print(name + " by time", ratios[0]);
        print(name + " by processor time", ratios[1]);
      }
    }
  }

  private static void print(String what, double[] ratios) {
    double mean = DoubleStream.of(ratios).average().orElseThrow();
    double squares = DoubleStream.of(ratios).map(each -> (each - mean) * (each - mean)).sum();
    double error = Z95 * Math.sqrt(squares / Math.max(1, ratios.length - 1) / ratios.length);
    LOG.info(
        String.format(
            Locale.ROOT, "%s: %.4f +- %.4f, %d rounds", what, mean, error, ratios.length));
    assertTrue(mean > 0.5, "something is wrong");
  }

  /** A random word: some are frequent. */
  private String word() {
    double even = random.nextDouble();
    return "w" + (int) (WORDS * even * even * even);
  }

  private void write(Directory directory) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        StringBuilder text = new StringBuilder();
        for (int j = 0; j < 20; j++) {
          text.append(word()).append(' ');
        }
        document.add(new TextField("text", text.toString(), Store.NO));
        document.add(new StoredField("stored", text.toString()));
        writer.addDocument(document);
      }
      writer.forceMerge(4);
    }
  }

  /** Queries by a second of time, and of the processors' time for the whole process. */
  private double[] run(
      Recording recording, IndexSearcher searcher, Directory directory, boolean watched)
      throws IOException {
    if (watched) {
      IoRecorder.enable();
    } else {
      IoRecorder.disable();
    }
    ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor();
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (LuceneDirectoryMetrics ofProcess = LuceneDirectoryMetrics.ofProcess();
        LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("measured", directory)) {
      for (String name : new String[] {"SlowRead", "Sync", "MemoryLevel", "Refusal"}) {
        String event = "io.github.lucenedirectories." + name;
        var _ = watched ? recording.enable(event) : recording.disable(event);
      }
      if (watched) {
        ofProcess.bindTo(registry);
        meters.bindTo(registry);
        var _ = scraper.scheduleAtFixedRate(registry::scrape, 500, 1_000, TimeUnit.MILLISECONDS);
      }
      random.setSeed(1);
      int count = 0;
      long cpuBegun = SYSTEM.getProcessCpuTime();
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2)) {
        BooleanQuery query =
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
                .add(new TermQuery(new Term("text", word())), Occur.SHOULD)
                .build();
        if (watched) {
          IoScope scope = IoScope.begin();
          try (scope) {
            search(searcher, query);
          }
          count += scope.metrics().isEmpty() ? 0 : 1;
        } else {
          search(searcher, query);
          count++;
        }
      }
      long cpu = SYSTEM.getProcessCpuTime() - cpuBegun;
      return new double[] {count * 1e9 / (System.nanoTime() - begun), count * 1e9 / cpu};
    } finally {
      scraper.shutdownNow();
    }
  }

  private static void search(IndexSearcher searcher, BooleanQuery query) throws IOException {
    for (ScoreDoc hit : searcher.search(query, 10).scoreDocs) {
      searcher.storedFields().document(hit.doc);
    }
  }
}
