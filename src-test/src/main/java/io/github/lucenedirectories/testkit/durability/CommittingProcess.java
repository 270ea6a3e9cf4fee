package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
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

  /** Begins the line that is written after a commit; its number follows. */
  public static final String COMMITTED = "committed ";

  private static final long LIMIT_BYTES = 256L << 20;
  private static final long POOL_BYTES = 64L << 20;

  /** Small enough that logs are compacted and pool files are added. */
  private static final long GUEST_POOL_BYTES = 2L << 20;

  private CommittingProcess() {}

  /**
   * Arguments: folder, seed of the history, how many commits, and the directory: {@code mmap},
   * {@code pmem} (mode EMULATED), {@code LLPL} or {@code JDK} (mode PMEM), or the directory below a
   * {@link RamDirectory}, {@code nio} or {@code mapped}, with {@code -behind} after it to write
   * behind. Three more let it first check what a killed machine left, and say what was found: the
   * last commit that was acknowledged, the last that was begun, and the directory.
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    ChangeHistory history = new ChangeHistory(Long.parseLong(args[1]));
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      if (args.length > 4) {
        try (Directory directory = open(folder, args[6])) {
          long acknowledged = Long.parseLong(args[4]);
          long attempted = Long.parseLong(args[5]);
          say(out, "found " + history.check(directory, acknowledged, attempted));
        }
      }
      try (Directory directory = open(folder, args[3])) {
        commit(directory, history, Integer.parseInt(args[2]), out);
      }
    }
  }

  private static void commit(
      Directory directory, ChangeHistory history, int commits, FileOutputStream out)
      throws IOException {
    Random random = new Random();
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMaxBufferedDocs(random.nextInt(2, 20));
    config.setUseCompoundFile(random.nextBoolean());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      long first = ChangeHistory.number(directory) + 1;
      for (long number = first; number < first + commits; number++) {
        history.apply(number, writer, open -> reopen(open, random));
        say(out, COMMITTING + number);
        ChangeHistory.commit(writer, number);
        say(out, COMMITTED + number);
      }
    }
  }

  private static Directory open(Path folder, String kind) throws IOException {
    return switch (kind) {
      case "mmap" -> new MMapDirectory(folder);
      case "pmem" ->
          PmemDirectory.builder(folder).mode(PmemMode.EMULATED).initialBytes(POOL_BYTES).build();
      case "LLPL", "JDK" ->
          PmemDirectory.builder(folder)
              .engine(PmemEngine.valueOf(kind))
              .mode(PmemMode.PMEM)
              .initialBytes(GUEST_POOL_BYTES)
              .poolFileBytes(2 * GUEST_POOL_BYTES)
              .build();
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

  private static void reopen(IndexWriter writer, Random random) throws IOException {
    if (random.nextInt(20) == 0) {
      DirectoryReader.open(writer).close();
    }
  }

  /** Writes a line by one system call. */
  private static void say(FileOutputStream out, String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
