package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * A program that commits a {@link ChangeHistory} to a folder through a {@link RamDirectory} until
 * it is killed.
 *
 * <p>It goes on where the folder ends, and says on its standard output, one line at a time and each
 * by one system call, what it is about to commit and what has been committed.
 */
public final class CommittingProcess {

  /** Begins the line that is written before a commit; its number follows. */
  static final String COMMITTING = "committing ";

  /** Begins the line that is written after a commit; its number and a hash follow. */
  static final String COMMITTED = "committed ";

  /** Ends also where nobody kills it. */
  private static final int MOST_COMMITS = 2_000;

  private static final long LIMIT_BYTES = 256L << 20;

  private CommittingProcess() {}

  /** Arguments: folder, seed of the history, whether to write behind, kind of the backing. */
  public static void main(String[] args) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Directory backing = open(Path.of(args[0]), args[3]);
        Directory directory = open(backing, Boolean.parseBoolean(args[2]))) {
      commit(directory, Long.parseLong(args[1]), out);
    }
  }

  /** Commits the history of a seed from where the directory ends. */
  static void commit(Directory directory, long seed, FileOutputStream out) throws IOException {
    ChangeHistory history = new ChangeHistory(seed);
    Random random = new Random();
    try (IndexWriter writer = new IndexWriter(directory, config(random))) {
      long first = CommittedIndex.number(directory) + 1;
      for (long number = first; number < first + MOST_COMMITS; number++) {
        history.apply(number, writer, open -> reopen(open, random));
        say(out, COMMITTING + number);
        CommittedIndex.commit(writer, number);
        say(out, COMMITTED + number + " " + history.contentOf(number).hashCode());
      }
    }
  }

  private static Directory open(Path folder, String kind) throws IOException {
    return switch (kind) {
      case "nio" -> new NioDirectory(folder);
      case "mapped" -> new MappedDirectory(folder);
      default -> throw new IllegalArgumentException("unknown kind: " + kind);
    };
  }

  private static Directory open(Directory backing, boolean writeBehind) throws IOException {
    RamDirectory.Builder builder = RamDirectory.builder().backing(backing).maxBytes(LIMIT_BYTES);
    if (writeBehind) {
      builder.writeBehindBytes(1);
    }
    return builder.build();
  }

  private static IndexWriterConfig config(Random random) {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMaxBufferedDocs(random.nextInt(2, 20));
    config.setUseCompoundFile(random.nextBoolean());
    return config;
  }

  private static void reopen(IndexWriter writer, Random random) throws IOException {
    if (random.nextInt(20) == 0) {
      DirectoryReader.open(writer).close();
    }
  }

  /** Writes a line by one system call. */
  static void say(FileOutputStream out, String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
