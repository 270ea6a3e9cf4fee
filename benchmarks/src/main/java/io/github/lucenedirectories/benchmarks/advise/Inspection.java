// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.tools.ExistingIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * What was found before anything was measured, by a JVM as it would search the index.
 *
 * @param memoryBytes of the machine or, if smaller, of the container
 * @param pageCacheBytes what the page cache can hold for this process
 */
public record Inspection(Contents contents, int processors, long memoryBytes, long pageCacheBytes) {

  /** The fork that looks at the index and the machine, with the heap of those that measure. */
  record InspectionJob(String index) implements Fork.Job<Inspection> {

    @Override
    public Inspection run(Fork fork) throws IOException {
      Path path = Path.of(index);
      ExistingIndex.check(path);
      try (Directory directory = new MMapDirectory(path)) {
        return new Inspection(
            Contents.read(directory),
            Runtime.getRuntime().availableProcessors(),
            Environment.memoryBytes(),
            AvailableMemory.pageCacheBytes());
      }
    }
  }

  /** Names and values of what is known of the machine. */
  Map<String, String> machine() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processors", "" + processors);
    facts.put("memory", Numbers.bytes(memoryBytes));
    facts.put("page cache", "up to " + Numbers.bytes(pageCacheBytes));
    return facts;
  }
}
