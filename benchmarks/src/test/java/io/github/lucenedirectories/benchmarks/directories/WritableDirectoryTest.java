package io.github.lucenedirectories.benchmarks.directories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
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
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WritableDirectoryTest {
  private static final CacheSize CACHE = new CacheSize(5, 60);
  private static final int DOCUMENTS = 50;

  @TempDir private Path folder;

  private static void add(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      Document document = new Document();
      document.add(new TextField("body", "word " + i, Field.Store.YES));
      writer.addDocument(document);
    }
  }

  /** Those with files have the commit there once they are closed; the others leave nothing. */
  @ParameterizedTest
  @EnumSource
  void isEmptyAndKeepsWhatIsWritten(WritableDirectory kind) throws IOException {
    Path files = folder.resolve("new");
    try (Directory directory = kind.create(files, CACHE)) {
      assertFalse(DirectoryReader.indexExists(directory));
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
        add(writer);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(DOCUMENTS, reader.numDocs());
      }
    }
    boolean elsewhere =
        kind == WritableDirectory.RAM
            || kind == WritableDirectory.BYTE_BUFFERS
            || kind == WritableDirectory.PMEM
            || kind == WritableDirectory.MMAP_PMEM;
    try (Directory directory = FSDirectory.open(files)) {
      assertEquals(!elsewhere, DirectoryReader.indexExists(directory));
    }
  }

  @Test
  void cachesHoldNewFilesUpToTheirSize() throws IOException {
    for (double megabytes : new double[] {60, 1e-6}) {
      try (Directory lucenes =
              WritableDirectory.NRT_CACHING.create(
                  folder.resolve("a" + megabytes), new CacheSize(5, megabytes));
          Directory ours =
              WritableDirectory.NRT_CACHE.create(
                  folder.resolve("b" + megabytes), new CacheSize(5, megabytes))) {
        int cachedByLucenes = 0;
        int cachedByOurs = 0;
        for (Directory directory : List.of(lucenes, ours)) {
          try (IndexWriter writer =
              new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
            add(writer);
            DirectoryReader.open(writer).close();
            if (directory == lucenes) {
              cachedByLucenes = ((NRTCachingDirectory) lucenes).listCachedFiles().length;
            } else {
              cachedByOurs = ((NrtCacheDirectory) ours).listCachedFiles().length;
            }
          }
        }
        assertEquals(megabytes > 1, cachedByLucenes > 0);
        assertEquals(cachedByLucenes, cachedByOurs);
      }
    }
  }

  @Test
  void columnsBeginWithTheBaselineAndItsDoubles() {
    List<WritableColumn> columns =
        WritableColumn.columns(
            WritableDirectory.NRT_CACHING,
            List.of("RamDirectory", "NRTCachingDirectory", " ramdirectory"),
            true);
    assertEquals(
        List.of(
            "NRTCachingDirectory",
            "NRTCachingDirectory (again)",
            "NRTCachingDirectory (no meter)",
            "RamDirectory"),
        columns.stream().map(WritableColumn::label).toList());
    assertEquals(
        List.of(true, true, false, true), columns.stream().map(WritableColumn::metered).toList());
    UsageException refused =
        assertThrows(UsageException.class, () -> WritableDirectory.named("Foo"));
    assertTrue(String.valueOf(refused.getMessage()).contains("'Foo': choose from MMapDirectory, "));
  }
}
