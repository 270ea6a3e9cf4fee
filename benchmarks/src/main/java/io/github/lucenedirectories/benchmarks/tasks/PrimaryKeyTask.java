package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/** Looks up a batch of documents by their unique keys, as an update does. */
record PrimaryKeyTask(List<BytesRef> keys) implements Task {

  @Override
  public long run(SearchContext context) throws IOException {
    long sum = 0;
    for (int doc : lookUp(context)) {
      sum += doc;
    }
    return sum;
  }

  @Override
  public Answer answer(SearchContext context) throws IOException {
    List<Answer.Hit> hits = new ArrayList<>();
    int found = 0;
    int[] docs = lookUp(context);
    for (int i = 0; i < docs.length; i++) {
      found += docs[i] >= 0 ? 1 : 0;
      hits.add(new Answer.Hit(docs[i], Float.NaN, keys.get(i).utf8ToString()));
    }
    return new Answer(Integer.toString(found), hits);
  }

  private int[] lookUp(SearchContext context) throws IOException {
    int[] docs = new int[keys.size()];
    List<LeafReaderContext> leaves = context.searcher().getLeafContexts();
    TermsEnum[] terms = new TermsEnum[leaves.size()];
    for (int leaf = 0; leaf < terms.length; leaf++) {
      terms[leaf] = Terms.getTerms(leaves.get(leaf).reader(), Fields.ID).iterator();
    }
    PostingsEnum postings = null;
    for (int i = 0; i < docs.length; i++) {
      docs[i] = -1;
      for (int leaf = 0; leaf < terms.length && docs[i] < 0; leaf++) {
        if (terms[leaf].seekExact(keys.get(i))) {
          postings = terms[leaf].postings(postings, PostingsEnum.NONE);
          int doc = postings.nextDoc();
          docs[i] = doc == DocIdSetIterator.NO_MORE_DOCS ? -1 : leaves.get(leaf).docBase + doc;
        }
      }
    }
    return docs;
  }

  @Override
  public List<FieldNeed> needs() {
    return List.of(new FieldNeed(Fields.ID, FieldNeed.Feature.TERMS));
  }
}
