package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.console.OutputFolder;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
 *
 * @param taskFile the path of a task file; null to pick queries from the index
 * @param kinds to run; empty for all
 * @param countsHits whether queries that find nothing are counted
 * @param out the absolute path of the folder that built indexes are kept in
 */
public record Preparation(
    IndexSource source,
    @Nullable String taskFile,
    List<String> kinds,
    boolean countsHits,
    String out) {

  /**
   * Of the user's tasks.
   *
   * @param defaultKinds the kinds that are picked unless the user names some; empty for all
   * @param out the folder that built indexes are kept in
   */
  public Preparation(IndexSource source, TaskOptions tasks, List<String> defaultKinds, Path out) {
    this(source, tasks.tasks(), tasks.kinds(defaultKinds), false, out.toAbsolutePath().toString());
  }

  /**
   * Finds or builds the index and chooses queries.
   *
   * @param queries of each kind, at most; 0 for a workload that has none
   * @param chosen the path to write the chosen lines to
   * @throws UsageException if the index or the text cannot be used
   */
  public Prepared run(Workspace workspace, int queries, long seed, Path chosen) throws IOException {
    OutputFolder.create(Path.of(out));
    Path partial = Path.of(out, ".index-" + ProcessHandle.current().pid());
    workspace.alsoRemove(partial);
    Job.Spec spec = new Job.Spec(this, partial.toString(), queries, seed, chosen.toString());
    ForkStart start = new ForkStart("the index", Job.NAME, spec, true);
    return ChildJvm.run(workspace, JvmFlags.forIndex(0), start, Job.PREPARED, Prepared.class);
  }

  /**
   * The fork: finds or builds the index, chooses the queries, and reads the index's files once if
   * the page cache has room for all of them, so that the first directory does not pay for that.
   */
  public static final class Job implements ForkJob {
    /** The job's name. */
    public static final String NAME = "prepare";

    /** Said by the fork, with what it {@link Prepared}. */
    private static final String PREPARED = "prepared";

    /**
     * What the fork does.
     *
     * @param partial the path to build at, before the index is moved to where it is kept
     */
    private record Spec(Preparation what, String partial, int queries, long seed, String chosen) {}

    @Override
    public void run(Fork parent) throws IOException {
      Spec spec = parent.spec(Spec.class);
      IndexSource wanted = spec.what().source();
      String existing = wanted.index();
      Path index;
      if (existing == null) {
        Path partial = Path.of(spec.partial());
        index = built(Path.of(spec.what().out()), wanted.text(), wanted.vectors(), partial);
      } else {
        index = Path.of(existing);
        ExistingIndex.check(index);
      }
      long bytes = readAllThatFits(index);
      Path chosen = Path.of(spec.chosen());
      try (Directory directory = new MMapDirectory(index);
          IndexReader reader = DirectoryReader.open(directory)) {
        TaskSelection selection = select(spec, reader);
        TaskFile.write(chosen, selection.lines());
        parent.send(
            PREPARED,
            new Prepared(
                index.toString(),
                existing == null ? wanted.text().description() : existing,
                reader.numDocs(),
                reader.leaves().size(),
                bytes,
                selection.lines().stream().map(TaskLine::kind).distinct().toList(),
                selection.lines().size(),
                spec.what().countsHits() ? withoutHits(chosen, wanted.field(), reader) : 0,
                selection.skipped()));
      }
    }

    private static int withoutHits(Path chosen, String field, IndexReader reader)
        throws IOException {
      SearchContext context = new SearchContext(reader);
      int without = 0;
      for (NamedTask task : NamedTask.read(chosen, field)) {
        without += task.task().answer(context).total().equals("0") ? 1 : 0;
      }
      return without;
    }

    private static TaskSelection select(Spec spec, IndexReader reader) throws IOException {
      if (spec.queries() == 0) {
        return new TaskSelection(List.of(), List.of());
      }
      String field = spec.what().source().field();
      List<String> kinds = spec.what().kinds();
      ExistingIndex.checkField(field, fieldsWithTerms(reader));
      String file = spec.what().taskFile();
      TaskSelection selection =
          file == null
              ? TaskSelection.pick(reader, field, kinds, spec.queries(), spec.seed())
              : TaskSelection.sample(
                  reader, field, TaskFile.read(Path.of(file)), kinds, spec.queries(), spec.seed());
      if (selection.lines().isEmpty()) {
        throw new UsageException(
            "nothing to run; --field names the text field of an index that you give, now \""
                + field
                + "\": "
                + selection.skipped().stream()
                    .map(Skipped::reason)
                    .distinct()
                    .collect(Collectors.joining("; ")));
      }
      return selection;
    }

    private static List<String> fieldsWithTerms(IndexReader reader) {
      return StreamSupport.stream(FieldInfos.getMergedFieldInfos(reader).spliterator(), false)
          .filter(field -> field.getIndexOptions() != IndexOptions.NONE)
          .map(FieldInfo::getName)
          .toList();
    }

    private static long readAllThatFits(Path index) throws IOException {
      List<Path> all;
      try (Stream<Path> files = Files.list(index)) {
        all = files.filter(Files::isRegularFile).toList();
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      long bytes = 0;
      for (Path file : all) {
        bytes += Files.size(file);
      }
      if (bytes <= AvailableMemory.pageCacheBytes()) {
        for (Path file : all) {
          Files.copy(file, OutputStream.nullOutputStream());
        }
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
      String text = IndexBuilder.VERSION + " " + Version.LATEST + " " + corpus.fingerprint();
      byte[] key = (text + (vectors ? "" : " without vectors")).getBytes(StandardCharsets.UTF_8);
      Path index = folder.resolve("index-" + UUID.nameUUIDFromBytes(key));
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
  }
}
