package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
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
  public static final class Job implements ForkJob {
    /** The job's name. */
    public static final String NAME = "inspect";

    /** Said by the fork, with the inspection. */
    static final String INSPECTED = "inspected";

    @Override
    public void run(Fork parent) throws IOException {
      Path index = Path.of(parent.spec(String.class));
      ExistingIndex.check(index);
      long residentBytes = new IndexPages(index).residentBytes();
      try (Directory directory = new ReadOnlyDirectory(new MMapDirectory(index))) {
        Contents contents = Contents.read(directory);
        parent.send(INSPECTED, new Inspection(contents, Machine.read(index, residentBytes)));
      }
    }
  }
}
