// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOFunction;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * One index of {@link SoakTest}. Either everything that users do, from time to time in a new
 * folder, since what it has to remember grows; or ordinary indexing by one writer that stays open.
 */
final class SoakedIndex implements Closeable {

  private static final int TURNS = 100;

  /** An index with more is emptied: a pool's log has room for twice as many. */
  private static final int MOST_FILES = 300;

  /** Locked while a thread uses the index. */
  final ReentrantLock use = new ReentrantLock();

  private final Path folder;
  private final IOFunction<Path, Directory> opener;
  private final boolean hasJournal;
  private final Random random;
  private final List<Long> commitMicros = new ArrayList<>();
  private Directory directory;
  private long commits;
  private int turns;

  /** Whether another index takes the place of this one. */
  private boolean emptying;

  /** Null for ordinary indexing. */
  private @Nullable JournalWorkload workload;

  private @Nullable IndexWriter writer;
  private @Nullable DirectoryReader reader;

  /** What the documents of ordinary indexing hold: now, in the last commit, and in one begun. */
  private final int[] stamps;

  private int[] committed = {};
  private int[] attempted = {};

  /** An index with a commit journal. */
  SoakedIndex(Path folder, Supplier<CommitJournal> journal, long seed, int documents)
      throws IOException {
    this(folder, path -> journaled(path, journal.get()), true, seed, documents);
  }

  SoakedIndex(Path folder, DirectoryUnderTest kind, long seed, int documents) throws IOException {
    this(folder, kind::open, false, seed, documents);
  }

  private SoakedIndex(
      Path folder, IOFunction<Path, Directory> opener, boolean hasJournal, long seed, int documents)
      throws IOException {
    this.folder = folder;
    this.opener = opener;
    this.hasJournal = hasJournal;
    random = new Random(seed);
    stamps = new int[documents];
    emptying = random.nextBoolean();
    directory = new ByteBuffersDirectory();
    open();
    if (workload != null) {
      return;
    }
    IndexWriter open = openWriter();
    for (int id = 0; id < documents; id++) {
      update(open, id);
    }
    commit(open);
  }

  private static Directory journaled(Path folder, CommitJournal journal) throws IOException {
    boolean even = folder.toString().hashCode() % 2 == 0;
    Directory below = even ? new HybridDirectory(folder) : new NioDirectory(folder);
    try {
      return new NrtCacheDirectory(below, 2, 8, journal);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(below);
      throw t;
    }
  }

  private IndexWriter openWriter() throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
    config.setMergeScheduler(
        new ConcurrentMergeScheduler() {
          @Override
          protected void handleMergeException(Throwable e) {
            // The next commit fails.
          }
        });
    IndexWriter open = new IndexWriter(directory, config);
    writer = open;
    reader = DirectoryReader.open(open);
    return open;
  }

  private void commit(IndexWriter open) throws IOException {
    attempted = stamps.clone();
    open.commit();
    committed = attempted;
  }

  /** Opens the index again, or another one in its place. */
  private void open() throws IOException {
    if (emptying) {
      workload = new JournalWorkload(random.nextLong(), 1 << random.nextInt(8, 18));
      IOUtils.rm(folder);
      emptying = false;
    }
    directory = opener.apply(folder);
    if (workload != null) {
      workload.attach(directory);
      if (workload.attempted() == 0) {
        workload.commitOne();
      }
    }
  }

  private void update(IndexWriter open, int id) throws IOException {
    stamps[id] = random.nextInt();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append(' ').append(Integer.toString(random.nextInt(20_000), Character.MAX_RADIX));
    }
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    document.add(new StoredField("stamp", stamps[id]));
    document.add(new TextField("text", text.toString(), Field.Store.YES));
    open.updateDocument(new Term("id", Integer.toString(id)), document);
  }

  /** Makes changes, and at least one commit. */
  void step() throws IOException {
    if (workload == null) {
      indexOrdinarily(Objects.requireNonNull(writer));
      return;
    }
    boolean full = directory.listAll().length > MOST_FILES;
    if (++turns % TURNS == 0 || full) {
      closeAndCheck();
      emptying = full || random.nextBoolean();
      open();
    }
    long before = workload.attempted();
    workload.step();
    workload.step();
    long begun = System.nanoTime();
    workload.commitOne();
    committed(begun);
    commits += workload.attempted() - before - 1;
  }

  private void indexOrdinarily(IndexWriter open) throws IOException {
    for (int i = random.nextInt(20); i >= 0; i--) {
      update(open, random.nextInt(stamps.length));
    }
    if (random.nextInt(3) == 0) {
      DirectoryReader older = Objects.requireNonNull(reader);
      DirectoryReader newer = DirectoryReader.openIfChanged(older);
      if (newer != null) {
        older.close();
        reader = newer;
      }
    }
    long begun = System.nanoTime();
    commit(open);
    committed(begun);
  }

  /** Drops what is open and not committed, after a failure. */
  void giveUp(boolean closed) {
    try (Directory _ = closed ? directory : null;
        IndexWriter old = writer;
        DirectoryReader _ = reader) {
      writer = null;
      reader = null;
      if (workload != null) {
        workload.giveUp();
      } else if (old != null) {
        old.rollback();
      }
    } catch (IOException | IllegalStateException | InternalError _) {
      // It is gone nevertheless.
    }
  }

  /** Goes on after a failure, with the same directory or another one. */
  void goOn() throws IOException {
    boolean again = emptying || random.nextInt(3) == 0;
    for (int attempt = 0; ; attempt++) {
      giveUp(again);
      try {
        if (again) {
          open();
        } else if (workload != null) {
          workload.attach(directory);
        }
        if (workload == null) {
          int[] found = found(directory);
          assertTrue(Arrays.equals(found, committed) || Arrays.equals(found, attempted));
          System.arraycopy(found, 0, stamps, 0, found.length);
          commit(openWriter());
        }
        return;
      } catch (IOException | IllegalStateException | InternalError e) {
        // The next failure may have been ordered already.
        if (attempt == 100) {
          throw e;
        }
        again = true;
      }
    }
  }

  private void committed(long begun) {
    commits++;
    commitMicros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
  }

  /** Adds the use of this index to what others use, and takes the times of its last commits. */
  void record(Map<String, Long> record, List<Long> micros) throws IOException {
    use.lock();
    try {
      Set<String> needed = new HashSet<>();
      if (DirectoryReader.indexExists(directory)) {
        for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
          needed.addAll(commit.getFileNames());
        }
      }
      long live = 0;
      for (String name : needed) {
        live += directory.fileLength(name);
      }
      File[] files = Objects.requireNonNull(folder.toFile().listFiles());
      long stored = 0;
      for (File file : files) {
        // 0 if it is deleted meanwhile
        stored += file.length();
      }
      // Besides what its commits need there are merges, and what waits for a checkpoint.
      assertTrue(folder + ": " + stored + ", " + live, stored <= 4 * live + (32 << 20));
      record.merge("live bytes", live, Long::sum);
      record.merge("folder bytes", stored, Long::sum);
      record.merge("folder files", (long) files.length, Long::sum);
      record.merge("commits", commits, Long::sum);
      micros.addAll(commitMicros);
      commitMicros.clear();
    } finally {
      use.unlock();
    }
  }

  /** Closes the index, and fails unless the folder has what was committed and nothing else. */
  void closeAndCheck() throws IOException {
    if (workload != null) {
      workload.close();
    } else {
      commit(Objects.requireNonNull(writer));
    }
    close();
    try (Directory closed = hasJournal ? FSDirectory.open(folder) : opener.apply(folder)) {
      if (workload != null) {
        assertEquals(
            workload.expected().least(), workload.check(closed, workload.expected(), true));
      } else {
        CleanIndex.check(closed);
        assertArrayEquals(committed, found(closed));
      }
      if (hasJournal) {
        JournalWorkloadTest.checkNothingElse(closed);
      }
    }
  }

  private int[] found(Directory from) throws IOException {
    int[] found = new int[stamps.length];
    int count = 0;
    try (DirectoryReader all = DirectoryReader.open(from)) {
      StoredFields fields = all.storedFields();
      Bits live = MultiBits.getLiveDocs(all);
      for (int doc = 0; doc < all.maxDoc(); doc++) {
        if (live == null || live.get(doc)) {
          Document document = fields.document(doc);
          int id = Integer.parseInt(document.get("id"));
          found[id] = document.getField("stamp").numericValue().intValue();
          count++;
        }
      }
    }
    assertEquals(found.length, count);
    return found;
  }

  @Override
  public String toString() {
    return directory + ", " + (workload == null ? "ordinary" : "everything");
  }

  @Override
  public void close() throws IOException {
    try (Directory _ = directory;
        IndexWriter _ = writer;
        DirectoryReader _ = reader) {
      if (workload != null) {
        workload.giveUp();
      }
    }
  }
}
