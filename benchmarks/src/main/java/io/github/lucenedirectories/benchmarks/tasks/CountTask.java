package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.Query;

/** The exact number of a query's hits. */
record CountTask(Query query, List<FieldNeed> needs) implements Task {

  @Override
  public long run(SearchContext context) throws IOException {
    return context.searcher().count(query);
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    return new Answer(Long.toString(run(context)), List.of());
  }
}
