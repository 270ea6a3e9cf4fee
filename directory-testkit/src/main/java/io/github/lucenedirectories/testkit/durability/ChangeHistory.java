// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.index.CleanIndex;
import io.github.lucenedirectories.testkit.index.RandomQueries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOConsumer;

/**
 * Changes to an index, commit after commit, that follow from a seed alone.
 *
 * <p>What each commit holds can be computed without the index, in another process too. A document
 * has an id and a stamp, from which all of its other fields follow. A commit carries its number,
 * from 1 on; 0 stands for the empty index.
 *
 * @param seed of all changes
 */
public record ChangeHistory(long seed) {

  private static final String ID = "id";
  private static final String STAMP = "stamp";
  private static final String TEXT = "text";
  private static final String NUMBER = "commit";

  private static final int IDS = 150;
  private static final int MOST_CHANGES = 12;
  private static final int MOST_BYTES = 6_000;
  private static final long DELETED = -1;

  /** One document added or replaced, or deleted. */
  private record Change(String id, long stamp) {}

  private List<Change> changes(long commit) {
    Random random = new Random(31 * seed + commit);
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      String id = Integer.toString(random.nextInt(IDS));
      changes.add(new Change(id, random.nextInt(4) == 0 ? DELETED : random.nextLong(1L << 40)));
    }
    return changes;
  }

  /**
   * Makes the changes that lead from the commit before to this one; {@code afterEach} may flush.
   */
  public void apply(long commit, IndexWriter writer, IOConsumer<IndexWriter> afterEach)
      throws IOException {
    for (Change change : changes(commit)) {
      Term id = new Term(ID, change.id());
      if (change.stamp() == DELETED) {
        writer.deleteDocuments(id);
      } else {
        writer.updateDocument(id, document(change));
      }
      afterEach.accept(writer);
    }
  }

  private static Document document(Change change) {
    Document document = new Document();
    document.add(new StringField(ID, change.id(), Field.Store.YES));
    document.add(new LongField(STAMP, change.stamp(), Field.Store.YES));
    document.add(new TextField(TEXT, text(change.stamp()), Field.Store.YES));
    Random random = new Random(change.stamp());
    byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(MOST_BYTES) : 0];
    random.nextBytes(bytes);
    document.add(new StoredField("bytes", bytes));
    return document;
  }

  private static String text(long stamp) {
    Random random = new Random(stamp);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i >= 0; i--) {
      text.append('w').append(random.nextInt(200)).append(' ');
    }
    return text.toString();
  }

  /** Commits as this number. */
  public static void commit(IndexWriter writer, long number) throws IOException {
    writer.setLiveCommitData(Map.of(NUMBER, Long.toString(number)).entrySet());
    writer.commit();
  }

  /** The number of the last commit in a directory. */
  public static long number(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return 0;
    }
    String number = SegmentInfos.readLatestCommit(directory).getUserData().get(NUMBER);
    return Long.parseLong(Objects.requireNonNull(number, "a commit without a number"));
  }

  /**
   * Fails unless the last commit in a directory is one of those that are allowed, whole and clean.
   *
   * @return its number
   */
  public long check(Directory directory, long acknowledged, long attempted) {
    String what =
        "acknowledged=" + acknowledged + ", attempted=" + attempted + ": " + directory + ": ";
    try {
      long number = number(directory);
      if (number < acknowledged || number > attempted) {
        throw new AssertionError(what + "found=" + number);
      }
      if (number > 0) {
        SortedMap<String, Long> expected = contentOf(number);
        SortedMap<String, Long> found = content(directory);
        if (!expected.equals(found)) {
          throw new AssertionError(what + "expected=" + expected + ", found=" + found);
        }
        CleanIndex.check(directory);
      }
      return number;
    } catch (IOException e) {
      throw new AssertionError(what + "cannot be read", e);
    }
  }

  /** The stamps by id after this commit. */
  private SortedMap<String, Long> contentOf(long commit) {
    SortedMap<String, Long> content = new TreeMap<>();
    for (long number = 1; number <= commit; number++) {
      for (Change change : changes(number)) {
        content.put(change.id(), change.stamp());
      }
    }
    content.values().removeIf(stamp -> stamp == DELETED);
    return content;
  }

  private static SortedMap<String, Long> content(Directory directory) throws IOException {
    SortedMap<String, Long> content = new TreeMap<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (ScoreDoc hit : searcher.search(RandomQueries.everything(), 2 * IDS).scoreDocs) {
        Document document = searcher.storedFields().document(hit.doc);
        long stamp = document.getField(STAMP).numericValue().longValue();
        if (!text(stamp).equals(document.get(TEXT))
            || content.put(document.get(ID), stamp) != null) {
          throw new AssertionError("twice, or a wrong text: " + document);
        }
      }
    }
    return content;
  }
}
