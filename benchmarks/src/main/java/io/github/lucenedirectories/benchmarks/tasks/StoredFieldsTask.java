package io.github.lucenedirectories.benchmarks.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/** The best hits of a query and all their stored fields. */
record StoredFieldsTask(Query query, List<FieldNeed> needs) implements Task {

  @Override
  public long run(SearchContext context) throws IOException {
    TopDocs top = context.searcher().search(query, TopHitsTask.TOP);
    StoredFields stored = prefetched(context, top);
    long sum = 0;
    for (ScoreDoc hit : top.scoreDocs) {
      for (IndexableField field : stored.document(hit.doc)) {
        String text = field.stringValue();
        sum += text == null ? 0 : text.length();
      }
    }
    return sum;
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    TopDocs top = context.searcher().search(query, TopHitsTask.TOP);
    StoredFields stored = prefetched(context, top);
    List<Answer.Hit> hits = new ArrayList<>();
    for (ScoreDoc hit : top.scoreDocs) {
      hits.add(new Answer.Hit(hit.doc, hit.score, stored.document(hit.doc).toString()));
    }
    return new Answer(TopHitsTask.total(top.totalHits), hits);
  }

  private static StoredFields prefetched(SearchContext context, TopDocs top) throws IOException {
    StoredFields stored = context.searcher().storedFields();
    for (ScoreDoc hit : top.scoreDocs) {
      stored.prefetch(hit.doc);
    }
    return stored;
  }
}
