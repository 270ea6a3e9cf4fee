// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.Version;

/** Queries of every kind over the fields of {@link RandomDocument}. */
public final class RandomQueries {

  /**
   * Before 10.4, Lucene merges graphs in the order of a hash set, which a counter of the JVM
   * changes: equal segments get different graphs in any directory. There every vector is scored.
   */
  private static final int NEAREST =
      Version.LATEST.onOrAfter(Version.fromBits(10, 4, 0)) ? 10 : 10_000;

  private RandomQueries() {}

  /** All documents. Lucene has the instance that the constructor's deprecation names since 10.4. */
  @SuppressWarnings("deprecation")
  public static Query everything() {
    return new MatchAllDocsQuery();
  }

  /** At least one query of each kind whose scores do not depend on vectors. */
  public static List<Query> exact(Random random) {
    List<Query> queries = new ArrayList<>();
    queries.add(everything());
    for (String field : RandomDocument.TEXTS) {
      queries.add(term(random, field));
      queries.add(all(random, field));
      queries.add(any(random, field));
      queries.add(new PrefixQuery(new Term(field, "w" + random.nextInt(10))));
      queries.add(new WildcardQuery(new Term(field, "w?" + random.nextInt(10) + "*")));
      queries.add(new FuzzyQuery(new Term(field, RandomDocument.word(random)), 1));
    }
    for (String field : List.of("positions", "offsets", "payloads")) {
      queries.add(new PhraseQuery(field, RandomDocument.word(random), "w0"));
      queries.add(new PhraseQuery(4, field, RandomDocument.word(random), "w1"));
    }
    queries.add(new RegexpQuery(new Term("freqs", "w[0-4][a-f]?")));
    queries.add(TermRangeQuery.newStringRange("docs", "w2", "w5", true, false));
    queries.add(
        new TermInSetQuery(
            "id", List.of(new BytesRef("3"), new BytesRef("17"), new BytesRef("30"))));
    queries.add(
        new DisjunctionMaxQuery(List.of(term(random, "freqs"), term(random, "positions")), 0.2f));
    int low = random.nextInt(800);
    queries.add(IntPoint.newRangeQuery("point1", low, low + 200));
    queries.add(
        LongPoint.newRangeQuery("point2", new long[] {low, 0}, new long[] {low + 300, 1L << 39}));
    queries.add(
        FloatPoint.newRangeQuery(
            "point3", new float[] {low, 0, -1}, new float[] {low + 300, 0.9f, 1}));
    queries.add(
        DoublePoint.newRangeQuery(
            "point4",
            new double[] {low, 0, -2, Integer.MIN_VALUE},
            new double[] {low + 500, 1, 2, Integer.MAX_VALUE}));
    queries.add(NumericDocValuesField.newSlowRangeQuery("skipped_number", low, low + 200));
    queries.add(NumericDocValuesField.newSlowRangeQuery("updated_number", 3, 30));
    queries.add(
        SortedSetDocValuesField.newSlowRangeQuery(
            "sorted_set", new BytesRef("w1"), new BytesRef("w4"), true, true));
    for (String field : List.of("number", "bytes", "sorted", "floats", "freqs", "positions")) {
      queries.add(new FieldExistsQuery(field));
    }
    return queries;
  }

  /** Queries for the nearest vectors. */
  public static List<Query> nearest(Random random) {
    Query some = IntPoint.newRangeQuery("point1", 100, 300);
    return List.of(
        new KnnFloatVectorQuery("floats", RandomDocument.wholeNumbers(random), NEAREST),
        new KnnFloatVectorQuery("floats", RandomDocument.wholeNumbers(random), NEAREST / 2, some),
        new KnnFloatVectorQuery("products", RandomDocument.wholeNumbers(random), NEAREST),
        // With few candidates, each is scored: the graph, which rounding may change, is not asked.
        new KnnFloatVectorQuery("fractions", RandomDocument.fractions(random), 10_000, some),
        new KnnByteVectorQuery("signed_bytes", RandomDocument.signedBytes(random), NEAREST),
        new KnnByteVectorQuery("byte_products", RandomDocument.signedBytes(random), NEAREST, some));
  }

  /** Orders by doc values and points of all kinds. */
  public static List<Sort> sorts() {
    return List.of(
        new Sort(new SortField("number", SortField.Type.LONG, true), SortField.FIELD_DOC),
        new Sort(new SortField("updated_number", SortField.Type.LONG), SortField.FIELD_SCORE),
        new Sort(new SortField("sorted", SortField.Type.STRING), SortField.FIELD_DOC),
        new Sort(new SortedSetSortField("sorted_set", true), SortField.FIELD_DOC),
        new Sort(
            new SortedNumericSortField("sorted_numbers", SortField.Type.LONG),
            SortField.FIELD_DOC));
  }

  private static Query term(Random random, String field) {
    return new TermQuery(new Term(field, RandomDocument.word(random)));
  }

  private static Query all(Random random, String field) {
    return new BooleanQuery.Builder()
        .add(term(random, field), BooleanClause.Occur.MUST)
        .add(new TermQuery(new Term(field, "w0")), BooleanClause.Occur.FILTER)
        .add(term(random, field), BooleanClause.Occur.MUST_NOT)
        .build();
  }

  private static Query any(Random random, String field) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int i = 0; i < 4; i++) {
      query.add(term(random, field), BooleanClause.Occur.SHOULD);
    }
    return query.setMinimumNumberShouldMatch(random.nextInt(3)).build();
  }
}
