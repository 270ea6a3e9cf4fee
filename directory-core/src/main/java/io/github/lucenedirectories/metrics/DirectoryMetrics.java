package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.ProcessIoCounters;
import io.github.lucenedirectories.internal.store.IoRecorder;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The figures of directories and of the process, for a monitoring system. Reading them takes
 * microseconds and asks no device. All methods may be called from any thread.
 *
 * <p>Names are lower-case words with dots; a name that ends in {@code bytes} or {@code seconds} has
 * that unit. The guide lists them.
 */
public final class DirectoryMetrics {

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
    List<Metric> all = new ArrayList<>();
    Directory each = directory;
    while (each != null) {
      if (each instanceof MetricSource source) {
        source.report(into(all));
      }
      each = each instanceof FilterDirectory wrapper ? wrapper.getDelegate() : null;
    }
    return all;
  }

  private static MetricSource.Sink into(List<Metric> all) {
    return (name, kind, counter, value) -> all.add(new Metric(name, kind, counter, value));
  }

  /**
   * The figures of this process: what its directories hold, and what they read since the first call
   * of this method or the first {@link IoScope}, except in scopes that are open.
   */
  public static List<Metric> ofProcess() {
    IoRecorder.turn(true);
    List<Metric> all = new ArrayList<>();
    MetricSource.Sink sink = into(all);
    sink.gauge("open.descriptors", LiveResource.DESCRIPTORS.amount());
    sink.gauge("mapped.bytes", LiveResource.MAPPED_BYTES.amount());
    sink.gauge("memory.bytes", LiveResource.MEMORY_BYTES.amount());
    ProcessIoCounters.now()
        .ifPresent(counters -> sink.counter("device.read.bytes", "", counters.deviceBytes()));
    IoRecorder.report(sink);
    return all;
  }
}
