package io.github.lucenedirectories.testkit.index;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;

/** Runs the same queries on two readers and compares totals, documents and scores. */
final class SearchComparison {

  /** Lucene rounds differently when it scores vectors from the heap and from memory segments. */
  static final double VECTOR_TOLERANCE = 1e-5;

  /** More than any index here has documents: all hits are compared. */
  private static final int ALL = 10_000;

  private static final int FEW = 10;

  private SearchComparison() {}

  static void run(DirectoryReader expected, DirectoryReader actual, long seed) throws IOException {
    IndexSearcher left = searcher(expected);
    IndexSearcher right = searcher(actual);
    List<Query> exact = RandomQueries.exact(new Random(seed));
    for (Query query : exact) {
      compareHits(left, right, query);
    }
    for (Sort sort : RandomQueries.sorts()) {
      Query query = exact.get(Math.floorMod(seed, exact.size()));
      compare(sort, 0, left.search(query, FEW, sort), right.search(query, FEW, sort));
    }
    for (Query query : RandomQueries.nearest(new Random(seed))) {
      compare(query, VECTOR_TOLERANCE, left.search(query, ALL), right.search(query, ALL));
    }
  }

  /** Compares all hits of one query, and the best. */
  static void compareHits(DirectoryReader expected, DirectoryReader actual, Query query)
      throws IOException {
    compareHits(searcher(expected), searcher(actual), query);
  }

  private static void compareHits(IndexSearcher left, IndexSearcher right, Query query)
      throws IOException {
    compare(query, 0, left.search(query, ALL), right.search(query, ALL));
    // Few hits, and counting stops early: documents that cannot compete are skipped.
    compare(query, 0, best(left, query), best(right, query));
    check(left.count(query) == right.count(query), query + ": different counts");
  }

  private static TopDocs best(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(query, new TopScoreDocCollectorManager(FEW, null, FEW));
  }

  private static IndexSearcher searcher(DirectoryReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    // Every hit comes from the directory, none from a cache of an earlier query.
    searcher.setQueryCache(null);
    searcher.setSimilarity(new BM25Similarity());
    return searcher;
  }

  private static void compare(Object what, double tolerance, TopDocs expected, TopDocs actual) {
    check(
        expected.totalHits.value() == actual.totalHits.value(),
        what + ": " + actual.totalHits + " instead of " + expected.totalHits);
    check(expected.scoreDocs.length == actual.scoreDocs.length, what + ": different hits");
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      float wanted = expected.scoreDocs[i].score;
      float got = actual.scoreDocs[i].score;
      boolean same =
          tolerance == 0
              ? Float.compare(wanted, got) == 0
              : Math.abs(wanted - got) <= tolerance * Math.max(1, Math.abs(wanted));
      check(same, what + ": hit " + i + " scores " + got + " instead of " + wanted);
    }
    int[] wanted = documents(expected, tolerance > 0);
    int[] got = documents(actual, tolerance > 0);
    check(
        Arrays.equals(wanted, got),
        what + ": hits " + Arrays.toString(got) + " instead of " + Arrays.toString(wanted));
  }

  /** The hits' documents; with a tolerance in no order, as equal scores may then change places. */
  private static int[] documents(TopDocs hits, boolean sorted) {
    int[] documents = Arrays.stream(hits.scoreDocs).mapToInt((ScoreDoc hit) -> hit.doc).toArray();
    if (sorted) {
      Arrays.sort(documents);
    }
    return documents;
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
