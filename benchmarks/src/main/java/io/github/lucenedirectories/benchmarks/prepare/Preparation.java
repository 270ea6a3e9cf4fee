// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import io.github.lucenedirectories.benchmarks.tasks.TaskParser;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.OutputFolder;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.io.OutputStream;
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
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;
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
  private static final List<String> QUICK_KINDS =
      List.of("MedTerm", "Phrase", "PKLookup", "Stored");
  private static final int COPIES = 16;
  private static final int QUICK_COPIES = 8;

  /** Of the user's tasks; the default kinds are picked unless the user names some. */
  public Preparation(IndexSource source, TaskOptions tasks, List<String> defaultKinds, Path out) {
    this(source, tasks.tasks(), tasks.kinds(defaultKinds), false, out.toAbsolutePath().toString());
  }

  /**
   * Of the user's index, or else of a text that is indexed many times, so that it is larger than a
   * memory limit; {@code quick} has fewer copies and kinds.
   */
  public static Preparation largeIndex(
      IndexOptions index, TaskOptions tasks, boolean quick, Path out) {
    IndexSource copies =
        new IndexSource(
            null, new Corpus(List.of(), quick ? QUICK_COPIES : COPIES), false, Fields.BODY);
    return new Preparation(
        index.isGiven() ? index.source() : copies, tasks, quick ? QUICK_KINDS : List.of(), out);
  }

  /** Finds or builds the index and writes the chosen queries; refuses what cannot be used. */
  public Prepared run(Workspace workspace, int queries, long seed, Path chosen) throws IOException {
    OutputFolder.create(Path.of(out));
    Path partial = Path.of(out, ".index-" + ProcessHandle.current().pid());
    workspace.alsoRemove(partial);
    String file = chosen.toAbsolutePath().toString();
    IndexJob job = new IndexJob(this, partial.toString(), queries, seed, file);
    return ChildJvm.prepare(workspace, "the index", job, Prepared.class);
  }

  /** What the fork found or made; {@code withoutHits} is 0 if they were not counted. */
  public record Prepared(
      String index,
      String source,
      String field,
      String tasks,
      int documents,
      int segments,
      long bytes,
      List<String> kinds,
      int queries,
      int withoutHits,
      List<Skipped> skipped) {
    public static final Prepared NONE =
        new Prepared("", "", "", "", 0, 0, 0, List.of(), 0, 0, List.of());

    public List<Task> read() throws IOException {
      return TaskParser.read(Path.of(tasks), field);
    }

    public String summary() {
      return Numbers.text(
          "%s: %,d documents, %d segments, %s", source, documents, segments, Numbers.bytes(bytes));
    }
  }

  /** The path of an index that exists, or null to build one, with or without vectors. */
  public record IndexSource(@Nullable String index, Corpus text, boolean vectors, String field) {}

  /**
   * The fork: finds or builds the index, chooses the queries, and reads the index's files once if
   * the page cache has room for all of them, so that the first directory does not pay for that.
   *
   * @param partial the path to build at, before the index is moved to where it is kept
   */
  record IndexJob(Preparation what, String partial, int queries, long seed, String chosen)
      implements Fork.Job<Prepared> {

    @Override
    public Prepared run(Fork fork) throws IOException {
      IndexSource wanted = what.source();
      String existing = wanted.index();
      Path index;
      if (existing == null) {
        index = built(Path.of(what.out()), wanted.text(), wanted.vectors(), Path.of(partial));
      } else {
        index = Path.of(existing);
        ExistingIndex.check(index);
      }
      long bytes = readAllThatFits(index);
      try (Directory directory = new MMapDirectory(index);
          IndexReader reader = DirectoryReader.open(directory)) {
        TaskSelection selection = select(reader);
        TaskFile.write(Path.of(chosen), selection.lines());
        return new Prepared(
            index.toString(),
            existing == null ? wanted.text().description() : existing,
            wanted.field(),
            chosen,
            reader.numDocs(),
            reader.leaves().size(),
            bytes,
            selection.lines().stream().map(TaskLine::kind).distinct().toList(),
            selection.lines().size(),
            what.countsHits() ? withoutHits(reader) : 0,
            selection.skipped());
      }
    }

    private int withoutHits(IndexReader reader) throws IOException {
      SearchContext context = new SearchContext(reader);
      int without = 0;
      for (Task task : TaskParser.read(Path.of(chosen), what.source().field())) {
        without += task.answer(context).total().equals("0") ? 1 : 0;
      }
      return without;
    }

    private TaskSelection select(IndexReader reader) throws IOException {
      if (queries == 0) {
        return new TaskSelection(List.of(), List.of());
      }
      String field = what.source().field();
      List<String> kinds = what.kinds();
      ExistingIndex.checkField(field, fieldsWithTerms(reader));
      String file = what.taskFile();
      TaskSelection selection =
          file == null
              ? TaskSelection.pick(reader, field, kinds, queries, seed)
              : TaskSelection.sample(
                  reader, field, TaskFile.read(Path.of(file)), kinds, queries, seed);
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
          .filter(field -> field.getIndexOptions() != org.apache.lucene.index.IndexOptions.NONE)
          .map(FieldInfo::getName)
          .toList();
    }

    private static long readAllThatFits(Path index) throws IOException {
      List<Path> all;
      try (Stream<Path> files = Files.list(index)) {
        all = files.filter(Files::isRegularFile).toList();
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

    /** The path of the corpus's index, which is kept for later runs with the same text. */
    static Path built(Path folder, Corpus corpus, boolean vectors, Path partial)
        throws IOException {
      String text = IndexBuilder.VERSION + " " + Version.LATEST + " " + corpus.fingerprint();
      return Preparation.built(
          folder,
          text + (vectors ? "" : " without vectors"),
          partial,
          directory -> new IndexBuilder(vectors).build(corpus, directory));
    }
  }

  /** The path of an index, which is built unless an earlier run kept one with the same key. */
  public static Path built(Path folder, String key, Path partial, IOConsumer<Directory> builder)
      throws IOException {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    Path index = folder.resolve("index-" + UUID.nameUUIDFromBytes(bytes));
    if (Files.isDirectory(index)) {
      return index;
    }
    IOUtils.rm(partial);
    try (Directory directory = FSDirectory.open(partial)) {
      builder.accept(directory);
    } catch (IOException e) {
      IOUtils.rm(partial);
      throw UsageException.because("cannot build the index " + index, e);
    } catch (RuntimeException e) {
      IOUtils.rm(partial);
      throw e;
    }
    Files.deleteIfExists(partial.resolve("write.lock"));
    Files.move(partial, index, StandardCopyOption.ATOMIC_MOVE);
    return index;
  }
}
