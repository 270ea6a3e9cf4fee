// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.github.lucenedirectories.uri.LuceneDirectories;
import io.github.lucenedirectories.metrics.IoScope;
import io.github.lucenedirectories.micrometer.LuceneDirectoryMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;

/** Writes and searches an index on every kind of directory, and watches it. */
public final class Main {

  private Main() {}

  /** Throws unless everything works. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("consumer");
    String[] uris = {
      "nio:" + folder.resolve("nio"),
      "mapped:" + folder.resolve("mapped"),
      "hybrid:" + folder.resolve("hybrid"),
      "ram:nio:" + folder.resolve("ram"),
      "nrt:hybrid:" + folder.resolve("nrt"),
      "cached:nio:" + folder.resolve("cached") + "?cache=16m",
      "pmem:" + folder.resolve("pmem") + "?mode=file&engine=jdk&initial=4m&poolFile=4m"
    };
    for (String uri : uris) {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      try (Directory directory = LuceneDirectories.open(uri);
          LuceneDirectoryMetrics meters = LuceneDirectoryMetrics.of("consumer", directory)) {
        meters.bindTo(registry);
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
          Document document = new Document();
          document.add(new StringField("id", "1", Store.YES));
          writer.addDocument(document);
        }
        try (DirectoryReader reader = DirectoryReader.open(directory);
            IoScope scope = IoScope.begin()) {
          int hits = new IndexSearcher(reader).count(new TermQuery(new Term("id", "1")));
          if (hits != 1 || registry.getMeters().isEmpty()) {
            throw new AssertionError(uri + ": " + hits + ", " + registry.getMeters());
          }
          System.out.println(uri + ": " + scope.metrics());
        }
      }
    }
  }
}
