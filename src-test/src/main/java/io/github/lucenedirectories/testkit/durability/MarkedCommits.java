package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * A program that commits, merges and reopens on one thread, and marks where it begins and where it
 * ends by asking for files of these names, for somebody who traces its system calls.
 */
public final class MarkedCommits {

  /** The file that is asked for before the first commit that counts. */
  public static final Path BEGIN = Path.of("/marked-commits-begin");

  /** The file that is asked for after the last. */
  public static final Path END = Path.of("/marked-commits-end");

  /** So many load all classes. */
  private static final int COMMITS_BEFORE = 300;

  private static final int COMMITS = 100;
  private static final int COMMITS_PER_REOPEN = 10;
  private static final long POOL_BYTES = 64L << 20;

  private MarkedCommits() {}

  /** Arguments: an empty folder, and "pmem" (mode EMULATED) or "mmap". */
  public static void main(String[] args) throws IOException {
    ChangeHistory history = new ChangeHistory(0);
    IndexWriterConfig config =
        new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler());
    try (Directory directory = open(args[1], Path.of(args[0]));
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int number = 1; number <= COMMITS_BEFORE + COMMITS; number++) {
        if (number == COMMITS_BEFORE + 1) {
          mark(BEGIN);
        }
        history.apply(number, writer, _ -> {});
        CommittedIndex.commit(writer, number);
        if (number % COMMITS_PER_REOPEN == 0) {
          DirectoryReader.open(directory).close();
        }
      }
      mark(END);
    }
  }

  private static void mark(Path file) {
    if (Files.exists(file)) {
      throw new IllegalStateException("there is a file of this name: " + file);
    }
  }

  private static Directory open(String kind, Path folder) throws IOException {
    return switch (kind) {
      case "pmem" ->
          PmemDirectory.builder(folder).mode(PmemMode.EMULATED).initialBytes(POOL_BYTES).build();
      case "mmap" -> new MMapDirectory(folder);
      default -> throw new IllegalArgumentException("unknown kind: " + kind);
    };
  }
}
