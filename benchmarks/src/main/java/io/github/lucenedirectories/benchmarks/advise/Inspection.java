package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.benchmarks.workload.IndexPages;
import io.github.lucenedirectories.variants.ReadOnlyDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** What was found before anything was measured. */
public record Inspection(Contents contents, Machine machine) {

  /**
   * The fork that looks at the index and the machine: a JVM with the heap and under the limit of
   * those which measure, so that it finds the memory that they find.
   */
  record Job(String index) implements Fork.Job<Inspection> {

    @Override
    public Inspection run(Fork fork) throws IOException {
      Path path = Path.of(index);
      ExistingIndex.check(path);
      long residentBytes = new IndexPages(path).residentBytes();
      try (Directory directory = new ReadOnlyDirectory(new MMapDirectory(path))) {
        return new Inspection(Contents.read(directory), Machine.read(path, residentBytes));
      }
    }
  }
}
