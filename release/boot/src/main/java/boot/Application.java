// SPDX-License-Identifier: Apache-2.0
package boot;

import io.github.lucenedirectories.uri.LuceneDirectories;
import io.github.lucenedirectories.micrometer.LuceneDirectoryMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The property {@code index.uri} chooses the directory. */
@SpringBootApplication
public class Application {

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @Bean
  Directory directory(@Value("${index.uri}") String uri) throws IOException {
    return LuceneDirectories.open(uri);
  }

  @Bean
  CommandLineRunner search(Directory directory) {
    return _ -> {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      LuceneDirectoryMetrics.of("boot", directory).bindTo(registry);
      new IndexWriter(directory, new IndexWriterConfig(null)).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        System.out.println(directory + ": " + reader.numDocs() + ", " + registry.getMeters().size());
      }
    };
  }
}
