package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiDocValues;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.LongValues;
import org.jspecify.annotations.Nullable;

/** Counts a query's hits by the labels of a sorted-set field: the best labels and their counts. */
final class FacetCountTask implements Task {
  private final Query query;
  private final String field;
  private final List<FieldNeed> needs;

  FacetCountTask(Query query, String field, List<FieldNeed> needs) {
    this.query = query;
    this.field = field;
    this.needs = List.copyOf(needs);
  }

  @Override
  public long run(SearchContext context) throws IOException {
    long best = 0;
    for (int ordinal : top(count(context))) {
      best = best * 31 + ordinal;
    }
    return best;
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    int[] counts = count(context);
    SortedSetDocValues labels =
        MultiDocValues.getSortedSetValues(context.searcher().getIndexReader(), field);
    List<Hit> hits = new ArrayList<>();
    for (int ordinal : top(counts)) {
      hits.add(new Hit(ordinal, counts[ordinal], labels.lookupOrd(ordinal).utf8ToString()));
    }
    return new Answer(Long.toString(IntStream.of(counts).asLongStream().sum()), hits);
  }

  private int[] count(SearchContext context) throws IOException {
    IndexSearcher searcher = context.searcher();
    OrdinalMap map = context.ordinals(field);
    List<LeafReaderContext> leaves = searcher.getLeafContexts();
    int[] counts = map == null ? new int[0] : new int[Math.toIntExact(map.getValueCount())];
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (LeafReaderContext leaf : leaves) {
      Scorer scorer = weight.scorer(leaf);
      if (scorer == null) {
        continue;
      }
      SortedSetDocValues values = DocValues.getSortedSet(leaf.reader(), field);
      int[] segment = new int[Math.toIntExact(values.getValueCount())];
      countSegment(scorer.iterator(), values, segment);
      if (map == null) {
        return segment;
      }
      add(segment, map.getGlobalOrds(leaf.ord), counts);
    }
    return counts;
  }

  private static void countSegment(DocIdSetIterator docs, SortedSetDocValues values, int[] counts)
      throws IOException {
    SortedDocValues single = single(values);
    for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
      if (single != null) {
        if (single.advanceExact(doc)) {
          counts[single.ordValue()]++;
        }
      } else if (values.advanceExact(doc)) {
        for (int i = values.docValueCount(); i > 0; i--) {
          counts[(int) values.nextOrd()]++;
        }
      }
    }
  }

  private static @Nullable SortedDocValues single(SortedSetDocValues values) {
    return DocValues.unwrapSingleton(values);
  }

  private static void add(int[] segment, LongValues toGlobal, int[] counts) {
    for (int ordinal = 0; ordinal < segment.length; ordinal++) {
      if (segment[ordinal] != 0) {
        counts[(int) toGlobal.get(ordinal)] += segment[ordinal];
      }
    }
  }

  private static int[] top(int[] counts) {
    return IntStream.range(0, counts.length)
        .filter(ordinal -> counts[ordinal] > 0)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(ordinal -> -counts[ordinal])
                .thenComparingInt(ordinal -> ordinal))
        .limit(TopHitsTask.TOP)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public List<FieldNeed> needs() {
    return needs;
  }
}
