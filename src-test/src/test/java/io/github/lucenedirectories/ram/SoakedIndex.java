// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * One index of {@link JournalSoakTest}. Either everything that users do, from time to time in a new
 * folder, since what it has to remember grows; or ordinary indexing by one writer that stays open.
 */
final class SoakedIndex implements Closeable {

  private static final int TURNS = 100;

  /** Locked while a thread uses the index. */
  final ReentrantLock use = new ReentrantLock();

  private final Path folder;
  private final CommitJournal journal;
  private final Random random;
  private final List<Long> commitMicros = new ArrayList<>();
  private NrtCacheDirectory directory;
  private long commits;
  private int turns;

  /** Null for ordinary indexing. */
  private @Nullable JournalWorkload workload;

  private @Nullable IndexWriter writer;
  private @Nullable DirectoryReader reader;

  /** What the documents of ordinary indexing hold. */
  private final int[] stamps;

  SoakedIndex(Path folder, CommitJournal journal, long seed, int documents) throws IOException {
    this.folder = folder;
    this.journal = journal;
    random = new Random(seed);
    directory = open();
    stamps = new int[documents];
    if (random.nextBoolean()) {
      workload = begin();
      return;
    }
    IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
    writer = new IndexWriter(directory, config);
    for (int id = 0; id < documents; id++) {
      update(writer, id);
    }
    writer.commit();
    reader = DirectoryReader.open(writer);
  }

  private NrtCacheDirectory open() throws IOException {
    Directory below = random.nextBoolean() ? new HybridDirectory(folder) : new NioDirectory(folder);
    return new NrtCacheDirectory(below, 2, 8, journal);
  }

  private JournalWorkload begin() throws IOException {
    JournalWorkload made = new JournalWorkload(random.nextLong(), 1 << random.nextInt(8, 18));
    made.attach(directory);
    made.commitOne();
    return made;
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
    if (++turns % TURNS == 0) {
      closeAndCheck();
      if (random.nextBoolean()) {
        IOUtils.rm(folder);
        directory = open();
        workload = begin();
      } else {
        directory = open();
        workload.attach(directory);
      }
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
    open.commit();
    committed(begun);
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
      record.merge("off-heap bytes", directory.ramBytesUsed(), Long::sum);
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
      directory.close();
      JournalWorkloadTest.checkClosed(folder, workload);
      return;
    }
    Objects.requireNonNull(writer).commit();
    close();
    try (Directory closed = FSDirectory.open(folder)) {
      CleanIndex.check(closed);
      JournalWorkloadTest.checkNothingElse(closed);
      Map<Integer, Integer> found = new HashMap<>();
      try (DirectoryReader all = DirectoryReader.open(closed)) {
        StoredFields fields = all.storedFields();
        Bits live = MultiBits.getLiveDocs(all);
        for (int doc = 0; doc < all.maxDoc(); doc++) {
          if (live == null || live.get(doc)) {
            Document document = fields.document(doc);
            int stamp = document.getField("stamp").numericValue().intValue();
            assertTrue(found.put(Integer.valueOf(document.get("id")), stamp) == null);
          }
        }
      }
      Map<Integer, Integer> expected = new HashMap<>();
      for (int id = 0; id < stamps.length; id++) {
        expected.put(id, stamps[id]);
      }
      assertEquals(expected, found);
    }
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
