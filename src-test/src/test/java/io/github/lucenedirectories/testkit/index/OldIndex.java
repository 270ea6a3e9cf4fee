package io.github.lucenedirectories.testkit.index;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * An index in a zip file that an older Lucene wrote, with the hits it found.
 *
 * @param files the files of the index
 * @param expected one line for each query: its words, how many hits, then {@code doc=score} for the
 *     best, separated by tabs
 */
public record OldIndex(TreeMap<String, byte[]> files, List<String> expected) {

  private static final String EXPECTED = "expected.tsv";
  private static final int HITS = 20;

  /** More than the index has documents. */
  private static final int ALL_DOCUMENTS = 300;

  public static OldIndex read() throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    List<String> expected = new ArrayList<>();
    InputStream zip = OldIndex.class.getResourceAsStream("lucene-9.12.zip");
    try (ZipInputStream in = new ZipInputStream(Objects.requireNonNull(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        byte[] bytes = in.readAllBytes();
        if (entry.getName().equals(EXPECTED)) {
          new String(bytes, StandardCharsets.UTF_8).lines().forEach(expected::add);
        } else {
          files.put(entry.getName(), bytes);
        }
      }
    }
    return new OldIndex(files, expected);
  }

  /** Writes the files of the index into a directory. */
  public void copyTo(Directory directory) throws IOException {
    for (var file : files.entrySet()) {
      try (IndexOutput out = directory.createOutput(file.getKey(), IOContext.DEFAULT)) {
        out.writeBytes(file.getValue(), file.getValue().length);
      }
    }
    directory.sync(files.keySet());
    directory.syncMetaData();
  }

  /** Runs the query that a line begins with. */
  static TopDocs search(IndexSearcher searcher, String line) throws IOException {
    String[] words = line.substring(0, line.indexOf('\t')).split(" ", -1);
    String field = words[1];
    if (words[0].equals("longest")) {
      Sort sort = new Sort(new SortField(field, SortField.Type.LONG, true), SortField.FIELD_DOC);
      return searcher.search(IntPoint.newRangeQuery("point1", 0, 1_000), HITS, sort, true);
    }
    Query query =
        switch (words[0]) {
          case "term" -> term(field, words[2]);
          case "all" -> bool(field, words, BooleanClause.Occur.MUST);
          case "any" -> bool(field, words, BooleanClause.Occur.SHOULD);
          case "prefix" -> new PrefixQuery(new Term(field, words[2]));
          case "phrase" -> new PhraseQuery(field, words[2], words[3]);
          case "range" -> range(field, words[2], words[3]);
          case "nearest" ->
              new KnnFloatVectorQuery(
                  field, target(), ALL_DOCUMENTS, range("point1", "0", words[2]));
          default -> throw new IllegalArgumentException("unknown query: " + line);
        };
    return searcher.search(query, HITS);
  }

  private static float[] target() {
    float[] vector = new float[RandomDocument.VECTOR_DIMENSIONS];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = i % 5 - 2;
    }
    return vector;
  }

  private static Query range(String field, String low, String high) {
    return IntPoint.newRangeQuery(field, Integer.parseInt(low), Integer.parseInt(high));
  }

  private static Query term(String field, String word) {
    return new TermQuery(new Term(field, word));
  }

  private static Query bool(String field, String[] words, BooleanClause.Occur occur) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int i = 2; i < words.length; i++) {
      query.add(term(field, words[i]), occur);
    }
    return query.build();
  }
}
