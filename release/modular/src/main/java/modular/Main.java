// SPDX-License-Identifier: Apache-2.0
package modular;

import io.github.lucenedirectories.uri.LuceneDirectories;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/** Writes and opens an index on directories of two modules, by constructor and by URI. */
public final class Main {

  private Main() {}

  /** Throws unless everything works. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("modular");
    check(new HybridDirectory(folder.resolve("hybrid")));
    check(new RamDirectory());
    check(LuceneDirectories.open("cached:mapped:" + folder.resolve("cached") + "?cache=1m"));
  }

  private static void check(Directory directory) throws IOException {
    try (directory) {
      new IndexWriter(directory, new IndexWriterConfig(null)).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        System.out.println(directory + ": " + reader.numDocs());
      }
    }
  }
}
