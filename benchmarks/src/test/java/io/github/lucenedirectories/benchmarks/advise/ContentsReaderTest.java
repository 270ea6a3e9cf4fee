package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentsReaderTest {
  private static final int DOCUMENTS = 400;

  @TempDir private Path folder;

  @Test
  void everyByteHasAKindInCompoundFilesToo() throws IOException {
    Path index =
        SampleText.index(
            SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS), folder.resolve("index"));
    try (Directory directory = FSDirectory.open(index)) {
      delete(directory, "000000");
      Files.writeString(index.resolve("other"), "12345");
      Contents contents = new ContentsReader(directory).read();
      SegmentInfos commit = SegmentInfos.readLatestCommit(directory);
      assertTrue(commit.info(0).info.getUseCompoundFile());
      long bytes = 0;
      for (String name : commit.files(false)) {
        bytes += directory.fileLength(name);
      }
      assertEquals(bytes, contents.bytes());
      assertEquals(5, contents.unreferencedBytes());
      assertTrue(
          contents
              .bytesByKind()
              .keySet()
              .containsAll(
                  Set.of("stored fields", "terms", "postings", "doc values", "points", "vectors")),
          contents.bytesByKind()::toString);
      long stored = contents.bytesByKind().getOrDefault("stored fields", 0L);
      assertTrue(stored > bytes / 10 && stored < bytes, stored + " of " + bytes);
      assertEquals(DOCUMENTS - 1, contents.documents());
      assertEquals(1, contents.deleted());
      assertEquals(Optional.of("body"), contents.textField());
      assertEquals(
          List.of("numeric doc values", "points of dimension 1"),
          contents.fields().stream()
              .filter(field -> field.name().equals("lastmod"))
              .findFirst()
              .orElseThrow()
              .features());
    }
  }

  private static void delete(Directory directory, String id) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.deleteDocuments(new Term("id", id));
    }
  }

  @Test
  void theTextIsTheFieldWithPositionsAndMostTerms() {
    FieldUse id = new FieldUse("id", List.of(), 1, 900);
    FieldUse tags = new FieldUse("tags", List.of(), 2, 800);
    FieldUse title = new FieldUse("title", List.of(), 3, 10);
    FieldUse body = new FieldUse("body", List.of(), 3, 100);
    FieldUse price = new FieldUse("price", List.of(), 0, 0);
    assertEquals(Optional.of("body"), textOf(id, tags, title, body, price));
    assertEquals(Optional.of("tags"), textOf(id, tags, price));
    assertEquals(Optional.of("id"), textOf(id, price));
    assertEquals(Optional.empty(), textOf(price));
  }

  private static Optional<String> textOf(FieldUse... fields) {
    return new Contents(1, 0, 1, "10.5.1", Map.of(), 0, List.of(fields)).textField();
  }

  @Test
  void kindsOfFiles() {
    assertEquals(FileKind.STORED, FileKind.of("_0.fdt"));
    assertEquals(FileKind.TERMS, FileKind.of("_0_Lucene103_0.tim"));
    assertEquals(FileKind.VECTORS, FileKind.of("_0_Lucene99HnswVectorsFormat_0.vex"));
    assertEquals(FileKind.OTHER, FileKind.of("_0.si"));
    assertEquals(FileKind.OTHER, FileKind.of(IndexFileNames.SEGMENTS));
  }
}
