// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec.Mode;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Indexes whose stored documents are prefetched. */
abstract class DocumentPrefetchTestCase extends LibraryTestCase {

  static final Query GROUP = new TermQuery(new Term("group", "1"));

  static IndexWriter writer(Directory directory, Mode mode) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig()
            .setCodec(new Lucene104Codec(mode))
            .setUseCompoundFile(random().nextBoolean())
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  /** Chunks of some twenty documents, a seventh of them in the group. */
  static void add(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      Document document = StoredChunkTest.document(random(), random().nextInt(8_000));
      document.add(new StringField("group", "" + i % 7, Field.Store.NO));
      document.add(new StoredField("id", i));
      document.add(new NumericDocValuesField("order", random().nextInt()));
      writer.addDocument(document);
    }
    writer.flush();
  }

  static StoredRecording recording(Mode mode, int... segments) throws IOException {
    assumeTrue("prefetches nothing", TestMode.current().nativeAccess());
    StoredRecording directory = new StoredRecording(new ByteBuffersDirectory());
    try (IndexWriter writer = writer(directory, mode)) {
      for (int documents : segments) {
        add(writer, documents);
      }
    }
    return directory;
  }

  static DirectoryReader open(Directory directory) throws IOException {
    return PrefetchingDirectoryReader.wrap(DirectoryReader.open(directory));
  }

  /** Hits of some kind of search, not in the order of the index. */
  static ScoreDoc[] search(IndexSearcher searcher, int count) throws IOException {
    Sort byOrder = new Sort(new SortField("order", SortField.Type.LONG));
    return switch (random().nextInt(3)) {
      case 0 -> searcher.search(GROUP, count, byOrder).scoreDocs;
      case 1 -> searcher.searchAfter(null, GROUP, count).scoreDocs;
      default -> {
        CollectorManager<TopScoreDocCollector, TopDocs> shuffling =
            new CollectorManager<>() {
              private final TopScoreDocCollectorManager in =
                  new TopScoreDocCollectorManager(count, 10_000);

              @Override
              public TopScoreDocCollector newCollector() {
                return in.newCollector();
              }

              @Override
              public TopDocs reduce(Collection<TopScoreDocCollector> collectors)
                  throws IOException {
                TopDocs hits = in.reduce(collectors);
                Collections.shuffle(Arrays.asList(hits.scoreDocs), random());
                return hits;
              }
            };
        yield searcher.search(GROUP, shuffling).scoreDocs;
      }
    };
  }

  static DocumentSwitch switchOf(DirectoryReader reader) {
    return ((PrefetchingLeafReader) reader.leaves().getFirst().reader()).documents;
  }
}
