// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.warm.WarmStart;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Accountable;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.CoreContainer;
import org.apache.solr.core.DirectoryFactory;
import org.apache.solr.core.SolrCore;
import org.apache.solr.core.StandardDirectoryFactory;
import org.apache.solr.metrics.SolrMetricProducer;
import org.apache.solr.metrics.SolrMetricsContext;
import org.jspecify.annotations.Nullable;

/**
 * What the factories share: options, metrics, and changes of files that no directory misses. Each
 * index is in a folder of the core, as Solr's own factories keep it, so a core can change its
 * factory in both directions.
 *
 * <p>A wrong or unknown option is a {@link org.apache.solr.common.SolrException} when the core is
 * loaded. All methods may be called from any thread.
 */
public abstract class FolderDirectoryFactory extends StandardDirectoryFactory
    implements SolrMetricProducer {

  private static final String CORE_REGISTRY = "solr.core.";
  private static final AttributeKey<String> CORE = AttributeKey.stringKey("core");
  private static final AttributeKey<String> FACTORY = AttributeKey.stringKey("factory");

  private final Object registration = new Object();

  /** The two are null while there are no metrics: the context, and what collects them there. */
  private @Nullable SolrMetricsContext metrics;

  private @Nullable Object reader;

  FolderDirectoryFactory() {}

  @Override
  public final void init(NamedList<?> args) {
    super.init(args);
    Options options = new Options(getClass().getSimpleName(), args);
    configure(options);
    options.end();
  }

  /** Reads all options of this factory. */
  abstract void configure(Options options);

  /**
   * Moves a file, made durable first: a directory may hold it in memory alone.
   *
   * @throws IOException if that fails; the file is then where it was
   */
  @Override
  public void move(Directory from, Directory to, String name, IOContext context)
      throws IOException {
    from.sync(Set.of(name));
    super.move(from, to, name, context);
  }

  /**
   * Moves a file through both directories, for those that keep account of their names. The copy is
   * durable; no later commit would make it so.
   */
  static void moveByCopying(Directory from, Directory to, String name, IOContext context)
      throws IOException {
    to.copyFrom(from, name, name, context);
    to.sync(Set.of(name));
    from.deleteFile(name);
  }

  /**
   * Replaces a file, atomically where the file system can. Goes through the directory, because
   * Solr's own way past it to the folder leaves its caches stale.
   */
  @Override
  public void renameWithOverwrite(Directory directory, String name, String to) throws IOException {
    if (getBaseDir(directory) instanceof FSDirectory) {
      directory.rename(name, to);
    } else {
      super.renameWithOverwrite(directory, name, to);
    }
  }

  /**
   * Solr asks this of a core's index in each request for metrics: a core that was renamed is
   * noticed.
   */
  @Override
  public boolean exists(String path) throws IOException {
    followCore();
    return super.exists(path);
  }

  /**
   * Registers the metrics where the core has its own now. A core that is renamed, or swapped with
   * another one, gets new ones; Solr does that for what it registered through the core alone.
   */
  @SuppressWarnings(
      "deprecation") // getCores: its successor may load a core, or close it at the end
  private void followCore() {
    CoreContainer container = coreContainer;
    synchronized (registration) {
      SolrMetricsContext context = metrics;
      if (context == null || container == null || reader == readerOf(context)) {
        return;
      }
      for (SolrCore core : container.getCores()) {
        if (core.getDirectoryFactory() == this) {
          initializeMetrics(
              core.getCoreMetricManager().getSolrMetricsContext(), Attributes.empty());
          return;
        }
      }
    }
  }

  /** Null if the core's metrics were removed; unlike other ways to ask, this makes none. */
  private static @Nullable Object readerOf(SolrMetricsContext context) {
    return context.getMetricManager().getPrometheusMetricReader(context.getRegistryName());
  }

  @Override
  public void initializeMetrics(SolrMetricsContext parent, Attributes attributes) {
    synchronized (registration) {
      unregister(); // those of the core before it was reloaded
      SolrMetricsContext context = parent.getChildContext(this);
      register(context, attributes);
      metrics = context;
      reader = readerOf(context);
    }
  }

  private void register(SolrMetricsContext context, Attributes attributes) {
    String registry = context.getRegistryName();
    Attributes of =
        attributes.toBuilder()
            .put(
                CORE,
                registry.substring(registry.startsWith(CORE_REGISTRY) ? CORE_REGISTRY.length() : 0))
            .put(FACTORY, getClass().getSimpleName())
            .build();
    gauge(
        context,
        "files",
        "Bytes of the files of the core's directories",
        DirectoryFactory::sizeOfDirectory,
        of);
    gauge(
        context,
        "resident",
        "Bytes of index files in the page cache, or in the block cache if there is one",
        this::residentBytes,
        of);
    gauge(
        context,
        "memory",
        "Bytes of memory outside the Java heap that hold files",
        this::memoryBytes,
        of);
    addMetrics(context, of);
  }

  /** Adds the metrics of one kind of factory. */
  void addMetrics(SolrMetricsContext context, Attributes attributes) {}

  private interface Measure {
    long bytes(Directory directory) throws IOException;
  }

  private void gauge(
      SolrMetricsContext context,
      String name,
      String description,
      Measure measure,
      Attributes attributes) {
    context.observableLongGauge(
        "solr_core_directory_" + name + "_bytes",
        description,
        measurement -> record(measurement, measure, attributes));
  }

  private void record(
      ObservableLongMeasurement measurement, Measure measure, Attributes attributes) {
    List<Directory> open;
    synchronized (this) {
      open = byPathCache.values().stream().map(value -> value.directory).toList();
    }
    long sum = 0;
    for (Directory directory : open) {
      try {
        sum += measure.bytes(directory);
      } catch (IOException | AlreadyClosedException _) {
        // Closed or removed meanwhile.
      }
    }
    measurement.record(sum, attributes);
  }

  private long residentBytes(Directory directory) throws IOException {
    return getBaseDir(directory) instanceof FSDirectory
        ? WarmStart.residency(directory).orElse(List.of()).stream()
            .mapToLong(WarmStart.FileResidency::residentBytes)
            .sum()
        : 0;
  }

  private long memoryBytes(Directory directory) {
    Directory base = directory instanceof Accountable ? directory : getBaseDir(directory);
    return base instanceof Accountable files ? files.ramBytesUsed() : 0;
  }

  @Override
  public @Nullable SolrMetricsContext getSolrMetricsContext() {
    synchronized (registration) {
      return metrics;
    }
  }

  private void unregister() {
    synchronized (registration) {
      if (metrics != null) {
        metrics.unregister();
        metrics = null;
      }
    }
  }

  /** Closes the directories, once their users have released them, and ends the metrics. */
  @Override
  public void close() throws IOException {
    unregister();
    super.close();
  }
}
