package io.github.lucenedirectories.benchmarks.directories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchmarkDirectoryTest {
  /* Three flushes, so that there are segments to divide. */
  private static final int DOCUMENTS = 6000;

  @TempDir private Path folder;
  private Path index;

  @BeforeEach
  void index() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    index = SampleText.index(lines, folder.resolve("index"));
  }

  @ParameterizedTest
  @EnumSource
  void readsTheWholeIndexAndLeavesItAsItWas(BenchmarkDirectory directory) throws IOException {
    Map<String, Long> before = files();
    try (Directory open = directory.open(index);
        DirectoryReader reader = DirectoryReader.open(open)) {
      assertEquals(DOCUMENTS, reader.numDocs());
      int expected;
      try (Directory mapped = new MMapDirectory(index);
          DirectoryReader other = DirectoryReader.open(mapped)) {
        expected = count(other);
      }
      assertEquals(expected, count(reader));
    }
    assertEquals(before, files());
  }

  private static int count(DirectoryReader reader) throws IOException {
    return new IndexSearcher(reader).count(new TermQuery(new Term("body", "woaaard")));
  }

  /**
   * Both mixed directories have the same files in memory, or their comparison would mean nothing.
   */
  @Test
  void halfOfTheSegmentsIsTheSameHalfForOursAndLucenes() throws IOException {
    Set<String> half;
    try (Directory mapped = new MMapDirectory(index)) {
      half = CommitFiles.half(mapped);
      assertTrue(half.size() < CommitFiles.all(mapped).size() - 1);
    }
    try (Directory lucenes = BenchmarkDirectory.NRT_CACHING.open(index);
        Directory ours = BenchmarkDirectory.RAM_OVER_MAPPED.open(index)) {
      assertEquals(
          new TreeSet<>(half),
          new TreeSet<>(List.of(((CachedHalfDirectory) lucenes).listCachedFiles())));
      for (String name : half) {
        assertTrue(inputClass(lucenes, name).contains("ByteBuffers"), name);
      }
      Set<String> classes = new TreeSet<>();
      for (String name : ours.listAll()) {
        if (!name.equals("write.lock")) {
          classes.add(inputClass(ours, name));
        }
      }
      assertEquals(1, classes.size(), "one class for memory and mapped files: " + classes);
    }
  }

  private static String inputClass(Directory directory, String name) throws IOException {
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      return input.getClass().getSimpleName();
    }
  }

  @Test
  void namesAreFoundAndUnknownOnesRefused() {
    assertEquals(BenchmarkDirectory.RAM, ReadableDirectory.named("ramdirectory"));
    UsageException refused =
        assertThrows(UsageException.class, () -> ReadableDirectory.named("Foo"));
    assertTrue(String.valueOf(refused.getMessage()).contains("choose from MMapDirectory, "));
    assertThrows(UsageException.class, () -> Entry.parse("RamDirectory+Foo"));
  }

  @Test
  void columnsBeginWithTheBaselineTwiceAndHaveNoDoubles() {
    List<Entry> columns =
        Entry.columns(
            List.of("RamDirectory", "MMapDirectory", "RamDirectory", "NioDirectory+RamDirectory"));
    assertEquals(
        List.of(
            "MMapDirectory", "MMapDirectory (again)", "RamDirectory", "NioDirectory+RamDirectory"),
        columns.stream().map(Entry::label).toList());
    assertEquals(BenchmarkDirectory.RAM, columns.get(3).beside());
  }

  private Map<String, Long> files() throws IOException {
    Map<String, Long> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(index)) {
      paths.forEach(
          path -> {
            try {
              files.put(
                  path.getFileName() + " " + Files.getLastModifiedTime(path), Files.size(path));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return files;
  }
}
