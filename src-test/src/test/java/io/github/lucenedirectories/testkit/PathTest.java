package io.github.lucenedirectories.testkit;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.util.IOConsumer;

/** Asks the counters which code really ran: native calls or their fallbacks, chunks or not. */
public class PathTest extends DirectorySuite {

  public PathTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }

  private void expectPaths(IOConsumer<Directory> work) throws IOException {
    TestMode mode = TestMode.current();
    Map<PathCounter, Long> before = counts();
    try (Directory directory = open()) {
      work.accept(directory);
    }
    Map<PathCounter, Long> after = counts();
    for (PathCounter path : subject.capabilities().paths(mode)) {
      assertNotEquals(path + " did not run in mode " + mode, before.get(path), after.get(path));
    }
    for (PathCounter path : subject.capabilities().forbiddenPaths(mode)) {
      assertEquals(path + " ran in mode " + mode, before.get(path), after.get(path));
    }
  }

  private static Map<PathCounter, Long> counts() {
    Map<PathCounter, Long> counts = new EnumMap<>(PathCounter.class);
    for (PathCounter path : PathCounter.values()) {
      counts.put(path, path.count());
    }
    return counts;
  }

  public void testFile() throws IOException {
    expectPaths(
        directory -> {
          byte[] bytes = randomBytes(50_000);
          write(directory, "file", bytes);
          for (IOContext context :
              new IOContext[] {
                IOContext.DEFAULT.withHints(DataAccessHint.RANDOM), IOContext.READONCE
              }) {
            try (IndexInput in = directory.openInput("file", context)) {
              assertArrayEquals(bytes, remaining(in));
            }
          }
        });
  }

  public void testIndex() throws IOException {
    expectPaths(
        directory -> {
          IndexWriterConfig config = new IndexWriterConfig(new MockAnalyzer(random()));
          config.setUseCompoundFile(false);
          try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < 300; i++) {
              Document document = new Document();
              document.add(new TextField("text", "all number" + i, Field.Store.YES));
              // Enough that a file is longer than what an output gathers before it takes memory.
              document.add(new StoredField("bytes", randomBytes(200)));
              writer.addDocument(document);
            }
            writer.forceMerge(1);
          }
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            assertEquals(300, searcher.count(new TermQuery(new Term("text", "all"))));
          }
        });
  }
}
