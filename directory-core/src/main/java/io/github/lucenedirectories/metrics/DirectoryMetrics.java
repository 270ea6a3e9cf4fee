package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.IoRecorder.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The figures of directories and of the process, for a monitoring system. Reading them takes
 * microseconds and asks no device. All methods may be called from any thread.
 *
 * <p>Names are lower-case words with dots; a name that ends in {@code bytes} or {@code seconds} has
 * that unit. The guide lists them.
 */
public final class DirectoryMetrics {

  private static final double SECONDS_PER_NANO = 1e-9;

  private DirectoryMetrics() {}

  /**
   * A figure.
   *
   * @param kind the kind of file that it is about; empty for all
   * @param counter whether it only goes up until the process ends
   */
  public record Metric(String name, String kind, boolean counter, double value) {}

  /**
   * The figures of a directory and of those that it wraps. A directory of another library has none.
   */
  public static List<Metric> of(Directory directory) {
    Collector all = new Collector();
    for (Directory each = directory; each != null; each = wrapped(each)) {
      if (each instanceof MetricSource source) {
        source.report(all);
      }
    }
    return all.metrics;
  }

  private static @Nullable Directory wrapped(Directory directory) {
    return directory instanceof FilterDirectory wrapper ? wrapper.getDelegate() : null;
  }

  /**
   * The figures of this process: what its directories hold, and what they read since the first call
   * of this method or the first {@link IoScope}.
   */
  public static List<Metric> ofProcess() {
    IoRecorder.turnOn();
    Collector all = new Collector();
    all.gauge("open.descriptors", LiveResource.DESCRIPTORS.amount());
    all.gauge("mapped.bytes", LiveResource.MAPPED_BYTES.amount());
    all.gauge("memory.bytes", LiveResource.MEMORY_BYTES.amount());
    ProcessIoCounters.now()
        .ifPresent(counters -> all.counter("device.read.bytes", counters.deviceBytes()));
    for (FileKind kind : FileKind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      all.counter("reads", name, IoRecorder.processTotal(kind, Figure.READS));
      all.counter("read.bytes", name, IoRecorder.processTotal(kind, Figure.READ_BYTES));
      all.seconds("read.seconds", name, IoRecorder.processTotal(kind, Figure.READ_NANOS));
      all.counter("read.hits", name, IoRecorder.processTotal(kind, Figure.HITS));
      all.counter("prefetches", name, IoRecorder.processTotal(kind, Figure.PREFETCHES));
      all.counter("prefetch.bytes", name, IoRecorder.processTotal(kind, Figure.PREFETCHED_BYTES));
    }
    return all.metrics;
  }

  private static final class Collector implements MetricSource.Sink {
    private final List<Metric> metrics = new ArrayList<>();

    @Override
    public void gauge(String name, long value) {
      metrics.add(new Metric(name, "", false, (double) value));
    }

    @Override
    public void counter(String name, String kind, long value) {
      metrics.add(new Metric(name, kind, true, (double) value));
    }

    @Override
    public void seconds(String name, String kind, long nanos) {
      metrics.add(new Metric(name, kind, true, nanos * SECONDS_PER_NANO));
    }
  }
}
