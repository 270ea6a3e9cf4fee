// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.Subject;
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
import org.apache.lucene.util.IOFunction;

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

  private CommittingProcess() {}

  /**
   * Arguments: folder, seed of the history, how many commits, and the name of a class with a
   * constructor without parameters, a {@link Subject} that opens the directory.
   */
  public static void main(String[] args) throws Exception {
    Class<?> opener = Class.forName(args[3]);
    Subject subject = (Subject) opener.getConstructor().newInstance();
    run(args, subject::open);
  }

  /** Commits to the directory that is opened on the folder: the arguments as of {@link #main}. */
  public static void run(String[] args, IOFunction<Path, Directory> opener) throws IOException {
    ChangeHistory history = new ChangeHistory(Long.parseLong(args[1]));
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Directory directory = opener.apply(Path.of(args[0]))) {
      commit(directory, history, Integer.parseInt(args[2]), out);
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
