package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The best {@value #TOP} hits of a query, by score or by a sort. */
record TopHitsTask(Query query, @Nullable Sort sort, List<FieldNeed> needs) implements Task {
  /** How many hits every kind asks for. */
  static final int TOP = 10;

  @Override
  public long run(SearchContext context) throws IOException {
    return search(context).totalHits.value();
  }

  private TopDocs search(SearchContext context) throws IOException {
    return sort == null
        ? context.searcher().search(query, TOP)
        : context.searcher().search(query, TOP, sort);
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    TopDocs top = search(context);
    List<Answer.Hit> hits = new ArrayList<>();
    for (ScoreDoc hit : top.scoreDocs) {
      hits.add(new Answer.Hit(hit.doc, hit.score, hit instanceof FieldDoc f ? values(f) : ""));
    }
    return new Answer(total(top.totalHits), hits);
  }

  static String total(TotalHits total) {
    return total.relation() == TotalHits.Relation.EQUAL_TO
        ? Long.toString(total.value())
        : total.value() + "+";
  }

  private static String values(FieldDoc hit) {
    return Arrays.stream(hit.fields)
        .map(v -> v instanceof BytesRef bytes ? bytes.utf8ToString() : String.valueOf(v))
        .toList()
        .toString();
  }
}
