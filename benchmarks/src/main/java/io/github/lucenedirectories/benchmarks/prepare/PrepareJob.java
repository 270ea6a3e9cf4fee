package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.RunFailedException;
import io.github.lucenedirectories.benchmarks.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.forks.ForkChannel;
import io.github.lucenedirectories.benchmarks.forks.ForkJob;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * The fork that comes first: finds or builds the index, chooses the queries, and reads the index's
 * files once, if the page cache holds them all, so that the first directory does not pay for a cold
 * one.
 */
public final class PrepareJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "prepare";

  /** Said by the fork, with what it {@link Prepared}. */
  public static final String PREPARED = "prepared";

  @Override
  public void run(ForkChannel parent) throws IOException {
    PrepareSpec spec = parent.spec(PrepareSpec.class);
    IndexSource wanted = spec.source();
    Corpus corpus = wanted.text().open();
    String existing = wanted.index();
    Path index;
    if (existing == null) {
      index =
          new IndexCache(Path.of(spec.cache()))
              .index(corpus, wanted.vectors(), Path.of(spec.partial()));
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
            "nothing to run; of an index that you give, --field names the text field, now \""
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

  private static TaskSelection select(PrepareSpec spec, IndexReader reader) throws IOException {
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
}
