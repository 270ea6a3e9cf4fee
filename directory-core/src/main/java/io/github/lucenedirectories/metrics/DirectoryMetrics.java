// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.metrics;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.ProcFs;
import io.github.lucenedirectories.internal.store.IoRecorder;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The metrics of directories and of the process, for a monitoring system. All methods may be called
 * from any thread.
 *
 * <p>Names are lower-case words with dots; a name that ends in {@code bytes} or {@code seconds} has
 * that unit. The guide lists them.
 */
public final class DirectoryMetrics {

  private DirectoryMetrics() {}

  /**
   * The metrics of a directory and of those that it filters. A directory of another library has
   * none; the backing of a RAM directory, and the block cache in a hybrid one, have their own.
   */
  public static MetricSource of(Directory directory) {
    return sink -> {
      Directory each = directory;
      while (each != null) {
        if (each instanceof MetricSource source) {
          source.report(sink);
        }
        each = each instanceof FilterDirectory wrapper ? wrapper.getDelegate() : null;
      }
    };
  }

  /**
   * The metrics of this process: what its directories hold, and what they have read since the first
   * report or the first {@link IoScope}, except in scopes that are open.
   */
  public static MetricSource ofProcess() {
    return sink -> {
      IoRecorder.enable();
      sink.gauge("open.descriptors", LiveResource.DESCRIPTORS.amount());
      sink.gauge("mapped.bytes", LiveResource.MAPPED_BYTES.amount());
      sink.gauge("memory.bytes", LiveResource.MEMORY_BYTES.amount());
      ProcFs.deviceReadBytes().ifPresent(bytes -> sink.counter("device.read.bytes", bytes));
      IoRecorder.report(sink);
    };
  }
}
