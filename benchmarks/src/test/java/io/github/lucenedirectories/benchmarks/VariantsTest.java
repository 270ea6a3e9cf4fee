// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.lucenedirectories.variants.CachedDirectory;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every variant reads and writes an index, and the names say which one. */
class VariantsTest {
  /* Three flushes, so that there are segments to divide. */
  private static final int DOCUMENTS = 4500;
  private static final int ADDED = 50;
  private static final int BYTES = 100_000;

  /* Enough for these indexes, and made quickly. */
  private static final long POOL_BYTES = 1L << 24;

  @TempDir private static Path folder;

  @TestFactory
  Stream<DynamicTest> readsTheWholeIndexAndLeavesItAsItWas() throws IOException {
    Path index = index();
    Map<String, String> before = SampleText.state(index);
    long expected = count(FSDirectory.open(index));
    return Variants.all(Use.SEARCH).stream()
        .map(
            variant ->
                dynamicTest(
                    variant.name(),
                    () -> {
                      Path scratch = Files.createTempDirectory(folder, "scratch");
                      assertEquals(expected, count(variant.read(index, scratch)));
                      assertEquals(before, SampleText.state(index));
                    }));
  }

  private static Path index() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("lines.tsv"), DOCUMENTS);
    return SampleText.index(lines, Files.createTempDirectory(folder, "index"));
  }

  private static long count(Directory directory) throws IOException {
    try (directory;
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(DOCUMENTS, reader.numDocs());
      return new IndexSearcher(reader).count(new TermQuery(new Term("body", "woaaard")));
    }
  }

  /** Else Lucene's loops would slow down where an application uses several of them. */
  @Test
  void memoryIsReadThroughOneClass() throws IOException {
    Path index = index();
    Set<Class<?>> classes = new HashSet<>();
    for (String name :
        List.of("MappedDirectory", "HybridDirectory", "RamDirectory", "PmemDirectory")) {
      Path scratch = Files.createTempDirectory(folder, "scratch");
      try (Directory directory = named(name).read(index, scratch);
          IndexInput in = directory.openInput(directory.listAll()[0], IOContext.DEFAULT)) {
        classes.add(in.clone().getClass());
      }
    }
    assertEquals(1, classes.size(), classes::toString);
  }

  /** Those with files have the commit there once they are closed; the others leave nothing. */
  @TestFactory
  Stream<DynamicTest> isEmptyAndKeepsWhatIsWritten() {
    return Variants.all(Use.WRITE).stream()
        .map(variant -> dynamicTest(variant.name(), () -> keepsWhatIsWritten(variant)));
  }

  private static void keepsWhatIsWritten(Variant variant) throws IOException {
    Path files = Files.createTempDirectory(folder, "new");
    try (Directory directory = variant.open(files, POOL_BYTES)) {
      assertEquals(List.of(), List.of(directory.listAll()));
      add(directory, ADDED).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(ADDED, reader.numDocs());
      }
    }
    boolean elsewhere =
        variant.name().equals("ByteBuffersDirectory")
            || variant.name().equals("PmemDirectory")
            || variant.storage() == Storage.MEMORY;
    try (Directory directory = FSDirectory.open(files)) {
      assertNotEquals(elsewhere, DirectoryReader.indexExists(directory));
    }
  }

  private static IndexWriter add(Directory directory, int documents) throws IOException {
    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
    for (int i = 0; i < documents; i++) {
      Document document = new Document();
      document.add(new TextField("body", "word " + i, Field.Store.YES));
      writer.addDocument(document);
    }
    return writer;
  }

  /** A tenth of the file has room for two blocks of eight; half of it has room for all. */
  @Test
  void namesGiveTheSizeOfACache() throws IOException {
    Path files = Files.createTempDirectory(folder, "sized");
    try (Directory directory = FSDirectory.open(files);
        IndexOutput out = directory.createOutput("_0.doc", IOContext.DEFAULT)) {
      out.writeBytes(new byte[BYTES], BYTES);
    }
    assertEquals(List.of(0.25, 1.0), hitRates("BlockCacheDirectory", files));
    assertEquals(List.of(0.0, 0.0), hitRates("BlockCacheDirectory-4KiB-10%", files));
    assertEquals(List.of(0.0, 1.0), hitRates("blockcachedirectory-4kib-50%", files));
    assertEquals(0.25, hitRates("BlockCacheDirectory-16KiB-50%", files).getFirst());
    assertEquals(0.25, named("BlockCacheDirectory-64KiB-25%").shareInMemory());
  }

  /* Of two passes over eight blocks of 4 KiB, which lie in six of 16 KiB. */
  private static List<Double> hitRates(String name, Path index) throws IOException {
    try (Directory cached = named(name).read(index, folder)) {
      CachedDirectory figures = assertInstanceOf(CachedDirectory.class, cached);
      Double[] rates = new Double[2];
      for (int pass = 0; pass < rates.length; pass++) {
        assertEquals(Map.of(), figures.takeFigures());
        for (int i = 0; i < BYTES; i += BYTES / 8) {
          try (IndexInput in = cached.openInput("_0.doc", IOContext.DEFAULT)) {
            in.seek(i);
            in.readByte();
          }
        }
        rates[pass] = Objects.requireNonNull(figures.takeFigures().get("hit rate"));
      }
      return List.of(rates);
    }
  }

  @Test
  void unknownNamesAreRefused() {
    assertTrue(refusal("Foo").contains("'Foo': choose from MMapDirectory, "));
  }

  private static Variant named(String name) {
    return Variants.named(name, Use.SEARCH);
  }

  private static String refusal(String name) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> named(name)).getMessage());
  }

  @Test
  void namesAreUnique() {
    for (Use use : Use.values()) {
      List<String> names =
          Variants.all(use).stream().map(v -> v.name().toLowerCase(Locale.ROOT)).toList();
      assertEquals(names.size(), Set.copyOf(names).size());
      assertTrue(Variants.all(use).containsAll(Variants.defaults(use)));
    }
  }
}
