// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.micrometer;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.metrics.DirectoryMetrics;
import io.github.lucenedirectories.warm.WarmStart;
import io.github.lucenedirectories.warm.WarmStart.FileResidency;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * Binds the metrics of a directory, or of the process, to a registry of Micrometer.
 *
 * <pre>{@code
 * LuceneDirectoryMetrics.ofProcess().bindTo(registry);
 * LuceneDirectoryMetrics metrics = LuceneDirectoryMetrics.of("books", directory);
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>The meters are named {@code lucene.directory.} and the name of the metric. Those of a
 * directory have the tag {@code directory}, those of a kind of file the tag {@code kind}. {@link
 * #close} removes them; until then they keep the directory reachable. All methods may be called
 * from any thread.
 */
public final class LuceneDirectoryMetrics implements MeterBinder, AutoCloseable {

  private static final String PREFIX = "lucene.directory.";

  /** One reading serves all meters of a scrape. */
  private static final long READING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final MetricSource source;
  private final Tags tags;

  /** The last values by name and kind, and when they were read. */
  private Map<String, Double> values = new HashMap<>();

  private final Map<String, Meter> meters = new HashMap<>();
  private @Nullable MeterRegistry registry;
  private long readNanos;

  private LuceneDirectoryMetrics(MetricSource source, Tags tags) {
    this.source = source;
    this.tags = tags;
  }

  /**
   * The meters of a directory, and of those that it wraps.
   *
   * @param name the value of the tag {@code directory}
   */
  public static LuceneDirectoryMetrics of(String name, Directory directory) {
    return new LuceneDirectoryMetrics(DirectoryMetrics.of(directory), Tags.of("directory", name));
  }

  /**
   * The meters {@code index.bytes} and {@code resident.bytes}: the index's files, and what of them
   * is in memory, for which each reading asks the system file by file. None if it does not tell.
   */
  public static LuceneDirectoryMetrics ofResidency(String name, Directory directory) {
    return new LuceneDirectoryMetrics(
        sink -> residency(directory, sink), Tags.of("directory", name));
  }

  private static void residency(Directory directory, MetricSource.Sink sink) {
    try {
      @Nullable List<FileResidency> files = WarmStart.residency(directory).orElse(null);
      if (files != null) {
        sink.gauge("resident.bytes", sum(files, FileResidency::residentBytes));
        sink.gauge("index.bytes", sum(files, FileResidency::bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sum(List<FileResidency> files, ToLongFunction<FileResidency> bytes) {
    return files.stream().mapToLong(bytes).sum();
  }

  /** The meters of all directories of this process together. */
  public static LuceneDirectoryMetrics ofProcess() {
    return new LuceneDirectoryMetrics(DirectoryMetrics.ofProcess(), Tags.empty());
  }

  /**
   * Adds the meters to a registry. A metric that appears later, as that of a new kind of file, is
   * added when others are read.
   *
   * @throws IllegalStateException if they are bound already, or the registry has meters of the same
   *     name and directory
   */
  @Override
  public synchronized void bindTo(MeterRegistry target) {
    if (registry != null) {
      throw new IllegalStateException("already bound to " + registry + ": close this first");
    }
    registry = target;
    try {
      read(target);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void read(MeterRegistry target) {
    Map<String, Double> now = new HashMap<>();
    source.report(
        new MetricSource.Sink() {
          @Override
          public void gauge(String name, String kind, double value) {
            add(name, kind, false, value);
          }

          @Override
          public void counter(String name, String kind, double value) {
            add(name, kind, true, value);
          }

          private void add(String name, String kind, boolean counter, double value) {
            String key = name + ' ' + kind;
            now.merge(key, value, Double::sum);
            if (!meters.containsKey(key)) {
              meters.put(key, register(target, PREFIX + name, kind, counter, key));
            }
          }
        });
    values = now;
    readNanos = System.nanoTime();
  }

  private Meter register(
      MeterRegistry target, String name, String kind, boolean counter, String key) {
    Tags all = kind.isEmpty() ? tags : tags.and("kind", kind);
    if (target.find(name).tags(all).meter() != null) {
      throw new IllegalStateException(
          "the registry has " + name + " of " + all + ": close its meters first");
    }
    return counter
        ? FunctionCounter.builder(name, this, each -> each.value(key)).tags(all).register(target)
        : Gauge.builder(name, this, each -> each.value(key))
            .tags(all)
            .strongReference(true)
            .register(target);
  }

  private synchronized double value(String key) {
    if (registry != null && System.nanoTime() - readNanos > READING_NANOS) {
      read(registry);
    }
    return values.getOrDefault(key, Double.NaN);
  }

  /** Removes the meters from their registry, if they are bound. */
  @Override
  public synchronized void close() {
    if (registry != null) {
      meters.values().forEach(registry::remove);
      meters.clear();
      registry = null;
    }
  }
}
