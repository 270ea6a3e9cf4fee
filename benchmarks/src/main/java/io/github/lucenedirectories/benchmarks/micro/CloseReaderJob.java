package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import java.io.IOException;
import org.apache.lucene.store.Directory;

/** A fork that writes an index into one directory, and times closes of readers on it. */
public final class CloseReaderJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "close-reader";

  /** Said by the fork, with its {@link CloseTimes}. */
  static final String MEASURED = "measured";

  @Override
  public void run(Fork parent) throws IOException {
    CloseReaderSpec spec = parent.spec(CloseReaderSpec.class);
    try (TemporaryFolder folder = TemporaryFolder.create();
        Directory directory = DirectoryKind.named(spec.directory()).open(folder.path())) {
      SegmentedIndex.write(directory, spec.segments(), spec.compound(), spec.seed());
      parent.send(MEASURED, new ReaderCloses(directory, spec).measure());
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }
}
