package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.ChangeHistory;
import io.github.lucenedirectories.testkit.durability.CommittingProcess;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * A process that commits through {@code RamDirectory} is killed, again and again over one folder.
 *
 * <p>{@code -Dtestkit.kills=300} asks for as many kills; without it there are a few. The kernel
 * survives and with it the page cache, so this shows the order of writes and what was acknowledged;
 * {@link BackingTest} shows the syncs.
 */
@LuceneTestCase.SuppressFileSystems("*") // another process reads the same folder
public class KillTest extends LibraryTestCase {

  private static final String KILLS = "testkit.kills";
  private static final int DEFAULT_KILLS = 12;

  private static final long STARTING_MICROS = 700_000;
  private static final long COMMIT_MICROS = 6_000;
  private static final long INDEXING_MICROS = 20_000;

  public void testAcknowledgedCommitsAreFound() throws Exception {
    int kills =
        Integer.getInteger(KILLS, TestMode.current() == TestMode.SCALAR ? DEFAULT_KILLS : 3);
    Path folder = createTempDir();
    long seed = random().nextLong();
    ChangeHistory history = new ChangeHistory(seed);
    long found = 0;
    int inCommit = 0;
    for (int i = 0; i < kills; i++) {
      try (KilledProcess process = new KilledProcess(folder, seed)) {
        killSometime(process);
        long least = Math.max(found, process.acknowledged);
        long most = Math.max(least, process.attempted);
        inCommit += most > least ? 1 : 0;
        try (Directory plain = new MMapDirectory(folder)) {
          found = history.check(plain, least, most);
        }
      }
      found++;
      goOn(folder, history, found);
    }
    assertTrue("no kill struck a commit in " + kills, inCommit > 0 || kills < DEFAULT_KILLS);
  }

  private static void killSometime(KilledProcess process) throws IOException, InterruptedException {
    switch (random().nextInt(8)) {
      case 0 -> pause(STARTING_MICROS);
      case 1, 2 -> {
        process.await(CommittingProcess.COMMITTED, random().nextInt(1, 15));
        pause(INDEXING_MICROS);
      }
      default -> {
        process.await(CommittingProcess.COMMITTING, random().nextInt(1, 15));
        pause(COMMIT_MICROS);
      }
    }
    process.kill();
  }

  private static void pause(long mostMicros) {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random().nextLong(mostMicros)));
  }

  /** A new directory loads what is there, its writer adds a commit, and anybody can read it. */
  private static void goOn(Path folder, ChangeHistory history, long next) throws IOException {
    try (Directory backing = new MappedDirectory(folder);
        Directory directory = Backed.AT_SYNC.open(backing)) {
      history.check(directory, next - 1, next - 1);
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        history.apply(next, writer, open -> {});
        ChangeHistory.commit(writer, next);
      }
    }
    try (Directory plain = new MMapDirectory(folder)) {
      history.check(plain, next, next);
    }
  }

  /**
   * A running {@link CommittingProcess}, what it has said so far, and its end by SIGKILL. Safe for
   * one thread.
   */
  private static final class KilledProcess implements Closeable {
    /** What the shell reports for a process that SIGKILL ended. */
    private static final int KILLED = 128 + 9;

    private final Process process;
    private final BufferedReader lines;
    private final Path errors;

    /** The last commits that were begun and acknowledged; 0 if there were none. */
    private long attempted;

    private long acknowledged;

    KilledProcess(Path folder, long seed) throws IOException {
      String backing = random().nextBoolean() ? "nio" : "mapped";
      String behind = random().nextBoolean() ? "-behind" : "";
      // It ends by itself after 2,000 commits.
      String[] arguments = {folder.toString(), "" + seed, "2000", backing + behind};
      List<String> jvm = List.of("-XX:TieredStopAtLevel=1");
      List<String> command = JavaCommand.of(jvm, CommittingProcess.class, arguments);
      errors = createTempFile();
      process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      lines = process.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Waits until the process has said this many lines more of a kind.
     *
     * @param kind {@link CommittingProcess#COMMITTING} or {@link CommittingProcess#COMMITTED}
     */
    void await(String kind, int commits) throws IOException {
      for (int i = 0; i < commits; ) {
        String line = lines.readLine();
        if (line == null) {
          throw new AssertionError("ended by itself: " + Files.readString(errors));
        }
        note(line);
        i += line.startsWith(kind) ? 1 : 0;
      }
    }

    private void note(String line) {
      long number = Long.parseLong(line.substring(line.indexOf(' ') + 1));
      if (line.startsWith(CommittingProcess.COMMITTING)) {
        attempted = number;
      } else {
        acknowledged = number;
      }
    }

    /** Kills the process, waits for its end and reads what it had still said. */
    void kill() throws IOException, InterruptedException {
      // The handle's method: the one of the process would close the stream that is read here.
      process.toHandle().destroyForcibly();
      lines.lines().forEach(this::note);
      assertTrue("survives: " + process, process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(Files.readString(errors), KILLED, process.exitValue());
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      lines.close();
    }
  }
}
