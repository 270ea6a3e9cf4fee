package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.directories.CommitFiles;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.traffic.RequestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.jspecify.annotations.Nullable;

/** A serving fork: copies the index into a new directory and answers requests from it. */
public final class ServerJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "load-server";

  /** Said by the fork, with the port that it listens at. */
  static final String LISTENING = "listening";

  /** Said by the fork, with a line about a client. */
  static final String LOG = "log";

  @Override
  public void run(Fork parent) throws IOException {
    ServerSpec spec = parent.spec(ServerSpec.class);
    List<NamedTask> tasks = ChosenTasks.read(Path.of(spec.tasks()), spec.field());
    String file = spec.text();
    LoadedCorpus text = file == null ? null : LoadedCorpus.read(Path.of(file));
    try (Directory directory = spec.directory().create("index")) {
      fill(directory, Path.of(spec.index()));
      if (text == null) {
        serve(parent, spec, tasks, directory, null, null);
      } else {
        // What was written since the last commit is not worth keeping.
        IndexWriterConfig config = new IndexWriterConfig(Fields.analyzer()).setCommitOnClose(false);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
          serve(parent, spec, tasks, directory, writer, text);
        }
      }
    }
  }

  private static void serve(
      Fork parent,
      ServerSpec spec,
      List<NamedTask> tasks,
      Directory directory,
      @Nullable IndexWriter writer,
      @Nullable LoadedCorpus text)
      throws IOException {
    String welcome = LoadJson.text(welcome(spec, tasks));
    try (RequestServer server =
        RequestServer.listen(
            new InetSocketAddress(spec.bind(), spec.port()),
            () -> LoadService.start(spec, welcome, tasks, directory, writer, text),
            line -> log(parent, line))) {
      parent.send(LISTENING, server.port());
      server.serve(spec.once());
    } catch (BindException e) {
      throw new UsageException(
          "cannot listen at " + spec.bind() + ":" + spec.port() + ": " + e.getMessage(), e);
    }
  }

  private static void log(Fork parent, String line) {
    try {
      parent.send(LOG, line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Welcome welcome(ServerSpec spec, List<NamedTask> tasks) {
    return new Welcome(
        spec.label(),
        spec.source(),
        tasks.size(),
        tasks.stream().map(task -> task.line().kind()).distinct().toList(),
        spec.live(),
        Environment.describe(Path.of(spec.index()), spec.jvmFlags()));
  }

  /** Copies the last commit, and gives the disk the time for it now. */
  private static void fill(Directory directory, Path index) throws IOException {
    try (Directory source = new MMapDirectory(index)) {
      Collection<String> files = CommitFiles.all(source);
      CommitFiles.copy(source, files, directory, IOContext.DEFAULT);
      directory.sync(files);
    }
  }
}
