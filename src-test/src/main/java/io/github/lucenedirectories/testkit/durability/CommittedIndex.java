package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.index.CleanIndex;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;

/** The last commit in a directory, whose number in a {@link ChangeHistory} is kept with it. */
public final class CommittedIndex {

  private static final String NUMBER = "commit";

  private CommittedIndex() {}

  /** Commits as this number of the history. */
  public static void commit(IndexWriter writer, long number) throws IOException {
    writer.setLiveCommitData(Map.of(NUMBER, Long.toString(number)).entrySet());
    writer.commit();
  }

  /** The number of the last commit; 0 where there is none. */
  public static long number(Directory directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return 0;
    }
    String number = SegmentInfos.readLatestCommit(directory).getUserData().get(NUMBER);
    return Long.parseLong(Objects.requireNonNull(number, "a commit without a number"));
  }

  /**
   * Fails unless the last commit is one of those that are allowed, holds exactly what the history
   * says, and is clean. Returns its number.
   */
  public static long check(Directory directory, ChangeHistory history, long least, long most) {
    try {
      long number = number(directory);
      if (number < least || number > most) {
        throw new AssertionError(
            "wrong commit: found="
                + number
                + ", acknowledged="
                + least
                + ", attempted="
                + most
                + ": "
                + directory);
      }
      if (number > 0) {
        compare(number, history.contentOf(number), content(directory));
        CleanIndex.check(directory);
      }
      return number;
    } catch (IOException e) {
      throw new AssertionError(
          "cannot be read: acknowledged=" + least + ", attempted=" + most + ": " + directory, e);
    }
  }

  private static void compare(
      long number, SortedMap<String, Long> expected, SortedMap<String, Long> found) {
    if (!expected.equals(found)) {
      throw new AssertionError(
          "wrong content of commit " + number + ": expected=" + expected + ", found=" + found);
    }
  }

  private static SortedMap<String, Long> content(Directory directory) throws IOException {
    TreeMap<String, Long> content = new TreeMap<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        add(leaf.reader(), content);
      }
    }
    return content;
  }

  private static void add(LeafReader reader, SortedMap<String, Long> content) throws IOException {
    NumericDocValues stamps =
        Objects.requireNonNull(reader.getNumericDocValues(ChangeHistory.STAMP), "no stamps");
    StoredFields stored = reader.storedFields();
    Bits live = reader.getLiveDocs();
    for (int i = 0; i < reader.maxDoc(); i++) {
      if (live != null && !live.get(i)) {
        continue;
      }
      Document document = stored.document(i);
      if (!stamps.advanceExact(i)) {
        throw new AssertionError("no stamp: " + document);
      }
      long stamp = stamps.longValue();
      if (!ChangeHistory.text(stamp).equals(document.get(ChangeHistory.TEXT))) {
        throw new AssertionError("wrong text for stamp " + stamp + ": " + document);
      }
      if (content.put(document.get(ChangeHistory.ID), stamp) != null) {
        throw new AssertionError("twice: " + document);
      }
    }
  }
}
