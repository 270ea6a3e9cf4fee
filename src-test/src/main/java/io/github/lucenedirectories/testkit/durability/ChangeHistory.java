package io.github.lucenedirectories.testkit.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/**
 * Changes to an index, commit after commit, that follow from a seed alone.
 *
 * <p>What each commit holds can be computed without the index, in another process too. A document
 * has an id and a stamp, from which all of its other fields follow. Safe for one thread.
 */
public final class ChangeHistory {

  static final String ID = "id";
  static final String STAMP = "stamp";
  static final String TEXT = "text";

  private static final int IDS = 150;
  private static final int MOST_CHANGES = 12;
  private static final int MOST_BYTES = 6_000;
  private static final long DELETED = -1;

  private final long seed;
  private final TreeMap<String, Long> content = new TreeMap<>();
  private long contentCommit;

  /** The history that follows from a seed; before its first commit, number 1, there is nothing. */
  public ChangeHistory(long seed) {
    this.seed = seed;
  }

  /** One document added or replaced, or deleted. */
  private record Change(String id, long stamp) {
    boolean deletes() {
      return stamp == DELETED;
    }
  }

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
  public void apply(long commit, IndexWriter writer, Disturbance afterEach) throws IOException {
    for (Change change : changes(commit)) {
      Term id = new Term(ID, change.id());
      if (change.deletes()) {
        writer.deleteDocuments(id);
      } else {
        writer.updateDocument(id, document(change));
      }
      afterEach.disturb(writer);
    }
  }

  /** Something done to a writer between two changes that changes nothing in the content. */
  @FunctionalInterface
  public interface Disturbance {
    void disturb(IndexWriter writer) throws IOException;
  }

  private static Document document(Change change) {
    Document document = new Document();
    document.add(new StringField(ID, change.id(), Field.Store.YES));
    document.add(new NumericDocValuesField(STAMP, change.stamp()));
    document.add(new LongPoint("point", change.stamp()));
    document.add(new TextField(TEXT, text(change.stamp()), Field.Store.YES));
    Random random = new Random(change.stamp());
    byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(MOST_BYTES) : 0];
    random.nextBytes(bytes);
    document.add(new StoredField("bytes", bytes));
    return document;
  }

  /** The text of a document with this stamp. */
  static String text(long stamp) {
    Random random = new Random(stamp);
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i >= 0; i--) {
      text.append('w').append(random.nextInt(200)).append(' ');
    }
    return text.toString();
  }

  /** The stamps by id after this commit; 0 is the empty index. */
  public SortedMap<String, Long> contentOf(long commit) {
    if (commit < contentCommit) {
      content.clear();
      contentCommit = 0;
    }
    while (contentCommit < commit) {
      contentCommit++;
      for (Change change : changes(contentCommit)) {
        if (change.deletes()) {
          content.remove(change.id());
        } else {
          content.put(change.id(), change.stamp());
        }
      }
    }
    return Collections.unmodifiableSortedMap(new TreeMap<>(content));
  }
}
