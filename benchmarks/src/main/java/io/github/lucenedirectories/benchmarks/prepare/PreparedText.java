package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A text that lies ready for measuring forks.
 *
 * @param source where it comes from
 * @param file the path of a file that {@link LoadedCorpus} reads
 * @param documents in the file
 * @param bytes of their bodies
 */
public record PreparedText(String source, String file, int documents, long bytes) {

  /** Bytes of a body, on average. */
  public double meanBytes() {
    return (double) bytes / documents;
  }

  /**
   * Runs the {@link TextJob}.
   *
   * @param limit the most documents
   * @throws UsageException if the text cannot be read
   */
  public static PreparedText prepare(Workspace workspace, CorpusSpec text, int limit)
      throws IOException {
    Path file = workspace.file("text.json");
    TextSpec spec = new TextSpec(text, limit, file.toString());
    ForkStart start = new ForkStart("the text", TextJob.NAME, spec, true);
    LoadedCorpus.Size size =
        ChildJvm.run(
            workspace, JvmFlags.forIndex(0), start, TextJob.WRITTEN, LoadedCorpus.Size.class);
    return new PreparedText(
        text.open().description(), file.toString(), size.documents(), size.bytes());
  }
}
