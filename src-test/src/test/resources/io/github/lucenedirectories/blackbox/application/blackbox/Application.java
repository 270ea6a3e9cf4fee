// SPDX-License-Identifier: Apache-2.0
package blackbox;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/**
 * Writes and reads a file and an index in each directory and prints a line for each that held. The
 * second argument, if there is one, is the mode of {@code PmemDirectory}.
 */
public final class Application {
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    try (Directory nio = new NioDirectory(folder.resolve("nio"));
        Directory mapped = new MappedDirectory(folder.resolve("mapped"));
        Directory ram = new RamDirectory();
        Directory pmem = pmem(folder.resolve("pmem"), args)) {
      for (Directory directory : List.of(nio, mapped, ram, pmem)) {
        file(directory);
        index(directory);
        Module module = directory.getClass().getModule();
        System.out.println(
            "held: " + directory.getClass().getSimpleName() + " of " + module.getName());
      }
    }
  }

  private static Directory pmem(Path folder, String[] args) throws IOException {
    PmemDirectory.Builder builder = PmemDirectory.builder(folder).initialBytes(1 << 24);
    if (args.length > 1) {
      builder.mode(PmemMode.valueOf(args[1]));
    }
    return builder.build();
  }

  private static void file(Directory directory) throws IOException {
    try (var output = directory.createOutput("file", IOContext.DEFAULT)) {
      for (int i = 0; i < 100_000; i++) {
        output.writeLong(i * 31L);
      }
    }
    directory.sync(List.of("file"));
    try (var input = directory.openInput("file", IOContext.DEFAULT)) {
      check(input.length() == 800_000, "length=" + input.length());
      for (int i = 0; i < 100_000; i++) {
        long value = input.readLong();
        check(value == i * 31L, "at " + i + ": " + value);
      }
    }
    directory.deleteFile("file");
  }

  private static void index(Directory directory) throws IOException {
    try (var writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (int i = 0; i < 1000; i++) {
        Document document = new Document();
        document.add(
            new TextField("body", i % 10 == 0 ? "red apple" : "green pear", Field.Store.YES));
        writer.addDocument(document);
      }
    }
    try (var reader = DirectoryReader.open(directory)) {
      int hits = new IndexSearcher(reader).count(new TermQuery(new Term("body", "apple")));
      check(hits == 100, "hits=" + hits);
    }
  }

  private static void check(boolean held, String message) {
    if (!held) {
      throw new IllegalStateException(message);
    }
  }
}
