package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.variants.Owned;
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
import org.apache.lucene.store.MMapDirectory;

/**
 * A program that commits a {@link ChangeHistory} to a folder, until it is killed or has made as
 * many commits as it was asked for.
 *
 * <p>It goes on where the folder ends, and says on its standard output, one line at a time and each
 * by one system call, what it is about to commit and what has been committed.
 */
public final class CommittingProcess {

  /** Begins the line that is written before a commit; its number follows. */
  public static final String COMMITTING = "committing ";

  /** Begins the line that is written after a commit; its number and a hash follow. */
  public static final String COMMITTED = "committed ";

  /** It ends also where nobody kills it. */
  static final int MOST_COMMITS = 2_000;

  private static final long LIMIT_BYTES = 256L << 20;
  private static final long POOL_BYTES = 64L << 20;

  private CommittingProcess() {}

  /**
   * Arguments: folder, seed of the history, how many commits, and the directory: {@code mmap},
   * {@code pmem} (mode EMULATED), or the directory below a {@link RamDirectory}, {@code nio} or
   * {@code mapped}, with {@code -behind} after it to write behind.
   */
  public static void main(String[] args) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Directory directory = open(Path.of(args[0]), args[3])) {
      commit(directory, Long.parseLong(args[1]), Integer.parseInt(args[2]), out);
    }
  }

  /** Commits the history of a seed from where the directory ends. */
  static void commit(Directory directory, long seed, int commits, FileOutputStream out)
      throws IOException {
    ChangeHistory history = new ChangeHistory(seed);
    Random random = new Random();
    try (IndexWriter writer = new IndexWriter(directory, config(random))) {
      long first = CommittedIndex.number(directory) + 1;
      for (long number = first; number < first + commits; number++) {
        history.apply(number, writer, open -> reopen(open, random));
        say(out, COMMITTING + number);
        CommittedIndex.commit(writer, number);
        say(out, COMMITTED + number + " " + history.contentOf(number).hashCode());
      }
    }
  }

  private static Directory open(Path folder, String kind) throws IOException {
    return switch (kind) {
      case "mmap" -> new MMapDirectory(folder);
      case "pmem" ->
          PmemDirectory.builder(folder).mode(PmemMode.EMULATED).initialBytes(POOL_BYTES).build();
      default -> {
        boolean mapped = kind.startsWith("mapped");
        long behind = kind.endsWith("-behind") ? 1 : 0;
        yield Owned.over(
            mapped ? new MappedDirectory(folder) : new NioDirectory(folder),
            backing ->
                RamDirectory.builder()
                    .backing(backing)
                    .maxBytes(LIMIT_BYTES)
                    .writeBehindBytes(behind)
                    .build());
      }
    };
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
