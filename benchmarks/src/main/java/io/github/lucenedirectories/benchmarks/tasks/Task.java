// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.StringValueFacetCounts;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.util.BytesRef;

/** One query, prepared once and run many times by any thread, and what it needs of the index. */
public record Task(TaskLine line, Search search, List<FieldNeed> needs) {
  static final int TOP = 10;

  /** The work, all of which is timed. Its result describes what was found, in time of its own. */
  interface Search {
    Supplier<Answer> run(SearchContext context) throws IOException;
  }

  /** Runs the task and describes all that it found; not for timing. */
  public Answer answer(SearchContext context) throws IOException {
    context.seed(line.text().hashCode());
    return search.run(context).get();
  }

  /** The best hits of a query on vectors, whose answers may differ as scores from the heap do. */
  public static Task nearest(String kind, int number, Query query, int count) {
    return new Task(new TaskLine(kind, "vector//" + number), top(query, count), List.of());
  }

  static Search top(Query query) {
    return top(query, TOP);
  }

  private static Search top(Query query, int count) {
    return context -> {
      TopDocs top = context.searcher().search(query, count);
      return () -> answer(top, _ -> "");
    };
  }

  /** The best hits by a sort, with the values that they are sorted by. */
  static Search sorted(Query query, Sort sort) {
    return context -> {
      TopDocs top = context.searcher().search(query, TOP, sort);
      return () -> answer(top, i -> values((FieldDoc) top.scoreDocs[i]));
    };
  }

  private static String values(FieldDoc hit) {
    return Arrays.stream(hit.fields)
        .map(v -> v instanceof BytesRef bytes ? bytes.utf8ToString() : String.valueOf(v))
        .toList()
        .toString();
  }

  static Search count(Query query) {
    return context -> {
      int count = context.searcher().count(query);
      return () -> new Answer(Integer.toString(count), List.of());
    };
  }

  /** The best labels of a sorted-set field and their counts among a query's hits. */
  static Search facets(Query query, String field) {
    return context -> {
      FacetsCollector hits = context.searcher().search(query, new FacetsCollectorManager());
      FacetResult best =
          new StringValueFacetCounts(context.labels(field), hits).getTopChildren(TOP, field);
      return () ->
          answer(
              String.valueOf(best.value),
              best.labelValues.length,
              i ->
                  new Answer.Hit(
                      i, best.labelValues[i].value.floatValue(), best.labelValues[i].label));
    };
  }

  /** The best hits and the passages of their stored text that match the query. */
  static Search highlight(Query query, String field) {
    return context -> {
      TopDocs top = context.searcher().search(query, TOP);
      String[] passages = context.highlighter().highlight(field, query, top);
      return () -> answer(top, i -> String.valueOf(passages[i]));
    };
  }

  /** The best hits and all their stored fields. */
  static Search stored(Query query) {
    return context -> {
      TopDocs top = context.searcher().search(query, TOP);
      int[] docs = Arrays.stream(top.scoreDocs).mapToInt(hit -> hit.doc).toArray();
      Document[] documents = read(context, docs, context.announcesHits());
      return () -> answer(top, i -> documents[i].toString());
    };
  }

  /** So many documents drawn from the whole index, and all their stored fields. */
  static Search documents(int count) {
    return context -> {
      int[] docs = context.draw(count);
      Document[] documents = read(context, docs, context.announces());
      // A page of large documents would be too much to keep and to send.
      IntFunction<String> hash = i -> Integer.toHexString(documents[i].toString().hashCode());
      return () ->
          answer("" + count, count, i -> new Answer.Hit(docs[i], Float.NaN, hash.apply(i)));
    };
  }

  private static Document[] read(SearchContext context, int[] docs, boolean announces)
      throws IOException {
    StoredFields stored = context.searcher().storedFields();
    if (announces) {
      for (int doc : docs) {
        stored.prefetch(doc);
      }
    }
    Document[] documents = new Document[docs.length];
    for (int i = 0; i < docs.length; i++) {
      documents[i] = stored.document(docs[i]);
    }
    return documents;
  }

  /** Documents by their unique keys, in one batch, as an update looks them up. */
  static Search lookUp(List<BytesRef> keys) {
    return context -> {
      int[] docs = docs(context.searcher().getLeafContexts(), keys);
      return () ->
          answer(
              Long.toString(Arrays.stream(docs).filter(doc -> doc >= 0).count()),
              docs.length,
              i -> new Answer.Hit(docs[i], Float.NaN, keys.get(i).utf8ToString()));
    };
  }

  /** The document of each key, -1 where there is none. */
  private static int[] docs(List<LeafReaderContext> leaves, List<BytesRef> keys)
      throws IOException {
    TermsEnum[] terms = new TermsEnum[leaves.size()];
    for (int leaf = 0; leaf < terms.length; leaf++) {
      terms[leaf] = Terms.getTerms(leaves.get(leaf).reader(), Fields.ID).iterator();
    }
    int[] docs = new int[keys.size()];
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

  private static Answer answer(TopDocs top, IntFunction<String> detail) {
    TotalHits total = top.totalHits;
    return answer(
        total.value() + (total.relation() == TotalHits.Relation.EQUAL_TO ? "" : "+"),
        top.scoreDocs.length,
        i -> new Answer.Hit(top.scoreDocs[i].doc, top.scoreDocs[i].score, detail.apply(i)));
  }

  private static Answer answer(String total, int count, IntFunction<Answer.Hit> hit) {
    return new Answer(total, IntStream.range(0, count).mapToObj(hit).toList());
  }

  /**
   * What a task found, in full, to be compared between directories.
   *
   * @param total the number of hits; with a {@code +} where Lucene stopped counting
   * @param hits best first
   */
  public record Answer(String total, List<Hit> hits) {

    /**
     * One hit, or whatever a kind has in place of hits.
     *
     * @param doc Lucene's number of the document; a label's rank for a count by label
     * @param score NaN where a kind has none
     * @param detail what else must be the same: sort values, a label, the stored text; often empty
     */
    public record Hit(int doc, float score, String detail) {}
  }
}
