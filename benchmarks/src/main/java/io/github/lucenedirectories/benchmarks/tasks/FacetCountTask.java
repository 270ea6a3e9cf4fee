package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.facet.StringValueFacetCounts;
import org.apache.lucene.search.Query;

/** Counts a query's hits by the labels of a sorted-set field: the best labels and their counts. */
record FacetCountTask(Query query, String field, List<FieldNeed> needs) implements Task {

  @Override
  public long run(SearchContext context) throws IOException {
    return count(context).hashCode();
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    FacetResult best = count(context);
    List<Answer.Hit> hits = new ArrayList<>();
    for (LabelAndValue label : best.labelValues) {
      hits.add(new Answer.Hit(hits.size(), label.value.floatValue(), label.label));
    }
    return new Answer(String.valueOf(best.value), hits);
  }

  private FacetResult count(SearchContext context) throws IOException {
    FacetsCollector collector = context.searcher().search(query, new FacetsCollectorManager());
    return new StringValueFacetCounts(context.labels(field), collector)
        .getTopChildren(TopHitsTask.TOP, field);
  }
}
