package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.OutputFolder;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;
import org.jspecify.annotations.Nullable;

/**
 * Finds or builds an index and chooses queries, in a fork: indexing then has the flags it is fast
 * with and ends with the workspace, leaving no half-built index.
 */
public final class Preparation {
  private final IndexSource source;
  private final @Nullable String taskFile;
  private final List<String> kinds;
  private final Path out;
  private boolean countsHits;

  /**
   * @param defaultKinds the kinds that are picked unless the user names some; empty for all
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexSource source, TaskOptions tasks, List<String> defaultKinds, Path out) {
    this(source, tasks.tasks(), tasks.kinds(defaultKinds), out);
  }

  /**
   * @param taskFile the path of a task file; null to pick queries from the index
   * @param kinds to run; empty for all
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexSource source, @Nullable String taskFile, List<String> kinds, Path out) {
    this.source = source;
    this.taskFile = taskFile;
    this.kinds = List.copyOf(kinds);
    this.out = out;
  }

  /** Counts the queries that find nothing, too. */
  public Preparation countingHits() {
    countsHits = true;
    return this;
  }

  /**
   * Finds or builds the index and chooses queries.
   *
   * @param queries of each kind, at most; 0 for a workload that has none
   * @param chosen the path to write the chosen lines to
   * @throws UsageException if the index or the text cannot be used
   */
  public Prepared run(Workspace workspace, int queries, long seed, Path chosen) throws IOException {
    OutputFolder.create(out);
    Path partial = out.resolve(".index-" + ProcessHandle.current().pid()).toAbsolutePath();
    workspace.alsoRemove(partial);
    Spec spec =
        new Spec(
            source,
            out.toAbsolutePath().toString(),
            partial.toString(),
            taskFile,
            kinds,
            queries,
            seed,
            countsHits,
            chosen.toString());
    ForkStart start = new ForkStart("the index", Job.NAME, spec, true);
    return ChildJvm.run(workspace, JvmFlags.forIndex(0), start, Job.PREPARED, Prepared.class);
  }

  /**
   * What the fork does.
   *
   * @param cache the folder that built indexes are kept in
   * @param partial the path to build at, before it is moved into the cache
   */
  private record Spec(
      IndexSource source,
      String cache,
      String partial,
      @Nullable String taskFile,
      List<String> kinds,
      int queries,
      long seed,
      boolean countsHits,
      String chosen) {}

  /**
   * The fork: finds or builds the index, chooses the queries, and reads the index's files once if
   * the page cache has room for all of them, so that the first directory does not pay for that.
   */
  public static final class Job implements ForkJob {
    /** The job's name. */
    public static final String NAME = "prepare";

    /** Said by the fork, with what it {@link Prepared}. */
    private static final String PREPARED = "prepared";

    private static final int KEY_CHARS = 12;

    @Override
    public void run(Fork parent) throws IOException {
      Spec spec = parent.spec(Spec.class);
      IndexSource wanted = spec.source();
      Corpus corpus = wanted.text().open();
      String existing = wanted.index();
      Path index;
      if (existing == null) {
        index = built(Path.of(spec.cache()), corpus, wanted.vectors(), Path.of(spec.partial()));
      } else {
        index = Path.of(existing);
        ExistingIndex.check(index);
      }
      long bytes = readAllThatFits(index);
      String source = existing == null ? corpus.description() : existing;
      try (Directory directory = new MMapDirectory(index);
          IndexReader reader = DirectoryReader.open(directory)) {
        if (spec.queries() > 0) {
          ExistingIndex.checkField(wanted.field(), fieldsWithTerms(reader));
        }
        TaskSelection selection =
            spec.queries() == 0 ? new TaskSelection(List.of(), List.of()) : select(spec, reader);
        if (spec.queries() > 0 && selection.lines().isEmpty()) {
          throw new UsageException(
              "nothing to run; --field names the text field of an index that you give, now \""
                  + spec.source().field()
                  + "\": "
                  + selection.skipped().stream()
                      .map(TaskSelection.Skipped::reason)
                      .distinct()
                      .collect(Collectors.joining("; ")));
        }
        TaskFile.write(Path.of(spec.chosen()), selection.lines());
        parent.send(
            PREPARED,
            new Prepared(
                index.toString(),
                source,
                reader.numDocs(),
                reader.leaves().size(),
                bytes,
                selection.lines().stream().map(TaskLine::kind).distinct().toList(),
                selection.lines().size(),
                spec.countsHits() ? withoutHits(spec, reader) : 0,
                selection.skipped()));
      }
    }

    private static List<String> fieldsWithTerms(IndexReader reader) {
      List<String> names = new ArrayList<>();
      for (FieldInfo field : FieldInfos.getMergedFieldInfos(reader)) {
        if (field.getIndexOptions() != IndexOptions.NONE) {
          names.add(field.getName());
        }
      }
      return names;
    }

    private static int withoutHits(Spec spec, IndexReader reader) throws IOException {
      SearchContext context = new SearchContext(reader);
      int without = 0;
      for (NamedTask task : ChosenTasks.read(Path.of(spec.chosen()), spec.source().field())) {
        without += task.task().answer(context).total().equals("0") ? 1 : 0;
      }
      return without;
    }

    private static TaskSelection select(Spec spec, IndexReader reader) throws IOException {
      String file = spec.taskFile();
      return file == null
          ? TaskSelection.pick(
              reader, spec.source().field(), spec.kinds(), spec.queries(), spec.seed())
          : TaskSelection.sample(
              reader,
              spec.source().field(),
              TaskFile.read(Path.of(file)),
              spec.kinds(),
              spec.queries(),
              spec.seed());
    }

    private static long readAllThatFits(Path index) throws IOException {
      long bytes = 0;
      try (var files = Files.newDirectoryStream(index, Files::isRegularFile)) {
        List<Path> all = new ArrayList<>();
        for (Path file : files) {
          all.add(file);
          bytes += Files.size(file);
        }
        for (Path file : bytes <= AvailableMemory.pageCacheBytes() ? all : List.<Path>of()) {
          try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(OutputStream.nullOutputStream());
          }
        }
      } catch (DirectoryIteratorException e) {
        throw new RunFailedException("cannot read " + index + ": " + e.getMessage(), e);
      }
      return bytes;
    }

    /**
     * The path of the corpus's index, which is kept for later runs with the same text.
     *
     * @param vectors whether documents have a vector
     * @param partial where to build, on the same file system
     */
    static Path built(Path folder, Corpus corpus, boolean vectors, Path partial)
        throws IOException {
      Path index = folder.resolve("index-" + key(corpus, vectors));
      if (Files.isDirectory(index)) {
        return index;
      }
      Workspace.deleteTree(partial);
      try (Directory directory = FSDirectory.open(partial)) {
        new IndexBuilder(vectors).build(corpus, directory);
      } catch (IOException e) {
        Workspace.deleteTree(partial);
        throw UsageException.because("cannot build the index " + index, e);
      } catch (RuntimeException e) {
        Workspace.deleteTree(partial);
        throw e;
      }
      Files.deleteIfExists(partial.resolve("write.lock"));
      Files.move(partial, index, StandardCopyOption.ATOMIC_MOVE);
      return index;
    }

    private static String key(Corpus corpus, boolean vectors) throws IOException {
      String text =
          IndexBuilder.VERSION
              + " "
              + Version.LATEST
              + " "
              + corpus.fingerprint()
              + (vectors ? "" : " without vectors");
      try {
        byte[] hash =
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash).substring(0, KEY_CHARS);
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError("every JDK has SHA-256", e);
      }
    }
  }
}
