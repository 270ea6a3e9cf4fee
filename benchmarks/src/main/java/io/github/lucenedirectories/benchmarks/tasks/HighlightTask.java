package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;

/** The best hits of a query and the passages of their stored text that match it. */
record HighlightTask(Query query, String field, List<FieldNeed> needs) implements Task {

  @Override
  public long run(SearchContext context) throws IOException {
    TopDocs top = context.searcher().search(query, TopHitsTask.TOP);
    long sum = 0;
    for (String passages : context.highlighter().highlight(field, query, top)) {
      sum += passages == null ? 0 : passages.length();
    }
    return sum;
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    TopDocs top = context.searcher().search(query, TopHitsTask.TOP);
    String[] passages = context.highlighter().highlight(field, query, top);
    List<Answer.Hit> hits = new ArrayList<>();
    for (int i = 0; i < top.scoreDocs.length; i++) {
      String text = String.valueOf(passages[i]);
      hits.add(new Answer.Hit(top.scoreDocs[i].doc, top.scoreDocs[i].score, text));
    }
    return new Answer(TopHitsTask.total(top.totalHits), hits);
  }
}
