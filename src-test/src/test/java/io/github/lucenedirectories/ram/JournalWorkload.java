// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * Everything that users do with one index, at random, and what each of its commits holds.
 *
 * <p>One thread makes the changes; others may compare what they find with what was acknowledged.
 */
final class JournalWorkload implements Closeable {

  /**
   * A document.
   *
   * @param stamp all of its fields follow from this, but for one
   * @param number a field that is updated in place
   */
  record Value(long stamp, long number) {}

  /** What must be found: a commit as new as this, and those that a deletion policy keeps. */
  record Expected(long least, Set<Long> kept) {
    static final Expected NOTHING = new Expected(0, Set.of());
  }

  private static final String ID = "id";
  private static final String STAMP = "stamp";
  private static final String NUMBER = "number";
  private static final String GONE = "gone";
  private static final String COMMIT = "commit";
  private static final int IDS = 30;

  private final Random random;
  private final int mostBytes;
  private final Map<Long, SortedMap<String, Value>> contents = new ConcurrentHashMap<>();
  private final LongAdder compared = new LongAdder();
  private final List<IndexCommit> snapshots = new ArrayList<>();
  private SortedMap<String, Value> now = new TreeMap<>();
  private int nextId = IDS;
  private @Nullable Directory directory;
  private @Nullable IndexWriter writer;
  private IndexDeletionPolicy policy = NoDeletionPolicy.INSTANCE;
  private volatile Expected expected = Expected.NOTHING;
  private volatile long attempted;

  /**
   * An index without documents.
   *
   * @param mostBytes the size of the largest field
   */
  JournalWorkload(long seed, int mostBytes) {
    random = new Random(seed);
    this.mostBytes = mostBytes;
    contents.put(0L, new TreeMap<>());
  }

  Expected expected() {
    return expected;
  }

  /** The last commit that was begun. */
  long attempted() {
    return attempted;
  }

  /** How many commits were compared with what they should hold. */
  long compared() {
    return compared.sum();
  }

  /** Goes on with a directory in which a commit was found that is there for good. */
  void attach(Directory opened) throws IOException {
    attach(opened, expected);
  }

  /** As above; what is expected may be of an earlier time. */
  void attach(Directory opened, Expected wanted) throws IOException {
    directory = opened;
    long found = check(opened, wanted, false);
    now = new TreeMap<>(contents.get(found));
    expected = new Expected(found, wanted.kept);
  }

  /** After a failure: the writer is gone, and the directory says what there is. */
  void giveUp() throws IOException {
    snapshots.clear();
    IndexWriter old = writer;
    writer = null;
    if (old != null) {
      old.rollback();
    }
  }

  @Override
  public void close() throws IOException {
    if (writer != null) {
      commit(false);
    }
    giveUp();
  }

  /** One change of any kind. */
  void step() throws IOException {
    IndexWriter open = writer == null ? openWriter() : writer;
    switch (random.nextInt(36)) {
      case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> commit(false);
      case 10, 11, 12 -> commit(true);
      case 13 -> {
        open.rollback();
        writer = null;
      }
      case 14 -> close();
      case 15 -> open.forceMerge(random.nextInt(1, 3));
      case 16, 17 -> open.flush();
      case 18, 19 -> {
        try (DirectoryReader reader = DirectoryReader.open(open)) {
          assertEquals("near real time", now, content(reader));
        }
      }
      case 20, 21 -> addIndex(open);
      case 22 -> snapshot();
      default -> change(open);
    }
  }

  /** Adds a document and commits it. */
  void commitOne() throws IOException {
    IndexWriter open = writer == null ? openWriter() : writer;
    put(open, Integer.toString(random.nextInt(IDS)), false);
    commit(false);
  }

  private void change(IndexWriter open) throws IOException {
    for (int i = random.nextInt(3); i >= 0; i--) {
      String id = Integer.toString(random.nextInt(IDS));
      Term term = new Term(ID, id);
      switch (random.nextInt(6)) {
        case 0 -> {
          open.deleteDocuments(term);
          now.remove(id);
        }
        case 1 -> {
          Value value = now.get(id);
          if (value != null) {
            long number = random.nextInt(1_000);
            open.updateNumericDocValue(term, NUMBER, number);
            now.put(id, new Value(value.stamp, number));
          }
        }
        case 2 -> put(open, id, true);
        default -> put(open, id, false);
      }
    }
  }

  private void put(IndexWriter open, String id, boolean soft) throws IOException {
    Value value = new Value(random.nextInt(1 << 20), 0);
    Document document = document(id, value);
    if (soft) {
      open.softUpdateDocument(new Term(ID, id), document, new NumericDocValuesField(GONE, 1));
    } else {
      open.updateDocument(new Term(ID, id), document);
    }
    now.put(id, value);
  }

  private Document document(String id, Value value) {
    Document document = new Document();
    document.add(new StringField(ID, id, Field.Store.YES));
    document.add(new StoredField(STAMP, value.stamp));
    document.add(new NumericDocValuesField(NUMBER, value.number));
    document.add(new TextField("text", text(value.stamp), Field.Store.YES));
    Random follows = new Random(value.stamp);
    if (value.stamp % 4 == 0) {
      float[] vector = {follows.nextFloat(), follows.nextFloat(), 1};
      document.add(new KnnFloatVectorField("vector", vector));
    }
    byte[] bytes = new byte[value.stamp % 3 == 0 ? follows.nextInt(mostBytes) : 0];
    follows.nextBytes(bytes);
    document.add(new StoredField("bytes", bytes));
    return document;
  }

  private static String text(long stamp) {
    return "a" + stamp % 7 + " b" + stamp % 11 + " c" + stamp % 13;
  }

  private void addIndex(IndexWriter open) throws IOException {
    try (Directory other = new ByteBuffersDirectory()) {
      try (IndexWriter adding = new IndexWriter(other, config(NoDeletionPolicy.INSTANCE))) {
        for (int i = random.nextInt(3); i >= 0; i--) {
          put(adding, Integer.toString(nextId++), false);
        }
        adding.commit();
      }
      if (random.nextBoolean()) {
        open.addIndexes(other);
      } else {
        try (DirectoryReader reader = DirectoryReader.open(other)) {
          open.addIndexes(
              reader.leaves().stream()
                  .map(leaf -> (CodecReader) leaf.reader())
                  .toArray(CodecReader[]::new));
        }
      }
    }
  }

  private void snapshot() throws IOException {
    if (!(policy instanceof SnapshotDeletionPolicy holding)) {
      return;
    }
    Set<Long> kept = new TreeSet<>(expected.kept);
    if (!snapshots.isEmpty() && random.nextBoolean()) {
      IndexCommit released = snapshots.remove(random.nextInt(snapshots.size()));
      kept.remove(number(released));
      expected = new Expected(expected.least, kept);
      holding.release(released);
    } else if (expected.least > 0) {
      IndexCommit commit = holding.snapshot();
      if (snapshots.stream().noneMatch(other -> other.equals(commit))) {
        snapshots.add(commit);
        kept.add(number(commit));
        expected = new Expected(expected.least, kept);
      } else {
        holding.release(commit);
      }
    }
  }

  private void commit(boolean inTwoPhases) throws IOException {
    IndexWriter open = Objects.requireNonNull(writer);
    long number = attempted + 1;
    contents.put(number, new TreeMap<>(now));
    attempted = number;
    open.setLiveCommitData(Map.of(COMMIT, Long.toString(number)).entrySet());
    if (inTwoPhases) {
      open.prepareCommit();
      change(open);
      if (random.nextInt(3) == 0) {
        // Whoever finds this commit has it from nowhere.
        contents.remove(number);
        snapshots.clear();
        writer = null;
        open.rollback();
        return;
      }
    }
    open.commit();
    Set<Long> kept = new TreeSet<>(expected.kept);
    if (policy instanceof NoDeletionPolicy) {
      kept.add(number);
    }
    expected = new Expected(number, kept);
  }

  private IndexWriter openWriter() throws IOException {
    Directory opened = Objects.requireNonNull(directory);
    snapshots.clear();
    policy =
        switch (random.nextInt(3)) {
          case 0 -> new KeepOnlyLastCommitDeletionPolicy();
          case 1 -> NoDeletionPolicy.INSTANCE;
          default -> new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
        };
    long found = check(opened, expected, false);
    IndexWriterConfig config = config(policy);
    if (policy instanceof NoDeletionPolicy) {
      if (found > 0 && random.nextBoolean()) {
        List<IndexCommit> commits = DirectoryReader.listCommits(opened);
        IndexCommit older = commits.get(random.nextInt(commits.size()));
        config.setIndexCommit(older);
        found = number(older);
      }
    } else {
      expected = new Expected(expected.least, Set.of());
    }
    now = new TreeMap<>(contents.get(found));
    IndexWriter open = new IndexWriter(opened, config);
    writer = open;
    return open;
  }

  private IndexWriterConfig config(IndexDeletionPolicy deletions) {
    LogDocMergePolicy merges = new LogDocMergePolicy();
    merges.setMergeFactor(random.nextInt(2, 6));
    merges.setNoCFSRatio(random.nextInt(2));
    return new IndexWriterConfig()
        .setCodec(TestUtil.getDefaultCodec())
        .setIndexDeletionPolicy(deletions)
        .setSoftDeletesField(GONE)
        .setMergePolicy(merges)
        .setMergeScheduler(new SerialMergeScheduler())
        .setMaxBufferedDocs(random.nextInt(2, 12))
        .setUseCompoundFile(random.nextBoolean())
        .setMaxFullFlushMergeWaitMillis(0)
        .setCommitOnClose(false);
  }

  static long number(IndexCommit commit) throws IOException {
    return Long.parseLong(commit.getUserData().get(COMMIT));
  }

  private static SortedMap<String, Value> content(DirectoryReader all) throws IOException {
    SortedMap<String, Value> content = new TreeMap<>();
    DirectoryReader reader = new SoftDeletesDirectoryReaderWrapper(all, GONE);
    for (LeafReaderContext context : reader.leaves()) {
      LeafReader leaf = context.reader();
      Bits live = leaf.getLiveDocs();
      NumericDocValues numbers = leaf.getNumericDocValues(NUMBER);
      for (int doc = 0; doc < leaf.maxDoc(); doc++) {
        assertEquals(doc, numbers.nextDoc());
        if (live == null || live.get(doc)) {
          Document document = leaf.storedFields().document(doc);
          long stamp = document.getField(STAMP).numericValue().longValue();
          Value value = new Value(stamp, numbers.longValue());
          assertEquals(text(stamp), document.get("text"));
          assertTrue("twice", content.put(document.get(ID), value) == null);
        }
      }
    }
    return content;
  }

  /** Fails unless a reader has what its commit should hold, whose number this returns. */
  long check(DirectoryReader reader) throws IOException {
    long number = number(reader.getIndexCommit());
    assertEquals("commit " + number, contents.get(number), content(reader));
    compared.increment();
    return number;
  }

  /**
   * Fails unless a directory has the last acknowledged commit or a later one that was begun, and
   * each of its commits is complete and holds what it should.
   *
   * @param wanted what was expected when the directory got its content
   * @param deeply whether Lucene also checks the index
   * @return the number of the last commit, 0 if there is none
   */
  long check(Directory found, Expected wanted, boolean deeply) throws IOException {
    Set<Long> numbers = new TreeSet<>(Set.of(0L));
    if (DirectoryReader.indexExists(found)) {
      for (IndexCommit commit : DirectoryReader.listCommits(found)) {
        long number = number(commit);
        numbers.add(number);
        try (DirectoryReader reader = DirectoryReader.open(commit)) {
          check(reader);
          if (deeply) {
            for (LeafReaderContext leaf : reader.leaves()) {
              ((CodecReader) leaf.reader()).checkIntegrity();
            }
          }
        }
      }
      if (deeply) {
        CleanIndex.check(found);
      }
    }
    long last = ((TreeSet<Long>) numbers).last();
    assertTrue(
        "found=" + numbers + ", expected=" + wanted + ", attempted=" + attempted,
        last >= wanted.least && last <= attempted && numbers.containsAll(wanted.kept));
    return last;
  }
}
