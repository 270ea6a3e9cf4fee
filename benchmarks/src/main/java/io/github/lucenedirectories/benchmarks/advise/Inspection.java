// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.harness.DeviceReadAhead;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.workload.IndexPages;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.tools.ExistingIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/** What was found before anything was measured. */
public record Inspection(Contents contents, Machine machine) {

  /** The fork that looks at the index and the machine, with the heap of those that measure. */
  record InspectionJob(String index) implements Fork.Job<Inspection> {

    @Override
    public Inspection run(Fork fork) throws IOException {
      Path path = Path.of(index);
      ExistingIndex.check(path);
      long residentBytes = new IndexPages(path).residentBytes();
      try (Directory directory = new MMapDirectory(path)) {
        return new Inspection(Contents.read(directory), Machine.read(path, residentBytes));
      }
    }
  }

  /**
   * What a JVM finds that would search the index. A figure is null if the system does not say.
   *
   * @param memoryBytes of the machine or, if smaller, of the container
   * @param pageCacheBytes what the page cache can hold for this process
   * @param residentBytes of all files in the index's folder, in the page cache before anything was
   *     measured
   * @param readAheadKiB the most that the system reads from the device at once
   */
  record Machine(
      int processors,
      long memoryBytes,
      long heapBytes,
      long pageCacheBytes,
      long residentBytes,
      @Nullable Long readAheadKiB) {
    static Machine read(Path index, long residentBytes) throws IOException {
      return new Machine(
          Runtime.getRuntime().availableProcessors(),
          Environment.memoryBytes(),
          Runtime.getRuntime().maxMemory(),
          AvailableMemory.pageCacheBytes(),
          residentBytes,
          new DeviceReadAhead().number(index, DeviceReadAhead.SETTING));
    }

    /** Names and values, with the share of the index's folder that was in memory before. */
    Map<String, String> facts(long folderBytes) {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("processors", "" + processors);
      facts.put("memory", Numbers.bytes(memoryBytes));
      facts.put("page cache", "up to " + Numbers.bytes(pageCacheBytes));
      facts.put(
          "in memory before",
          Numbers.text("%.0f %% of the index", 100.0 * residentBytes / Math.max(1, folderBytes)));
      facts.put("read-ahead", readAheadKiB == null ? "unknown" : readAheadKiB + " KiB");
      return facts;
    }
  }
}
