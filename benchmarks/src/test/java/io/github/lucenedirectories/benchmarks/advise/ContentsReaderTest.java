package io.github.lucenedirectories.benchmarks.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
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
      long bytes = bytes(directory, commit.files(false));
      assertEquals(bytes, contents.bytes());
      assertEquals(5, contents.folder().unreferenced());
      long named = bytes(directory, commit.files(true));
      assertEquals(named, contents.folder().committed());
      assertEquals(named + 5, contents.folder().all());
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

  @Test
  void whatOlderCommitsNameIsCommittedAndNotOfTheLast() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(folder)) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.addDocument(new Document());
        writer.commit();
        writer.deleteAll();
        writer.addDocument(new Document());
        writer.commit();
      }
      Contents contents = new ContentsReader(directory).read();
      SegmentInfos last = SegmentInfos.readLatestCommit(directory);
      long all = bytes(directory, List.of(directory.listAll()));
      assertEquals(
          new FolderBytes(all, all, all - bytes(directory, last.files(true))), contents.folder());
      assertEquals(bytes(directory, last.files(false)), contents.bytes());
      assertTrue(contents.folder().unreferenced() > 100);
    }
  }

  private static long bytes(Directory directory, Collection<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    return bytes;
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
    return contents(fields).textField();
  }

  private static Contents contents(FieldUse... fields) {
    return new Contents(1, 0, 1, "10.5.1", Map.of(), new FolderBytes(0, 0, 0), List.of(fields));
  }

  @Test
  void fieldToSearch() {
    FieldUse id = new FieldUse("id", List.of("terms"), 1, 900);
    FieldUse body = new FieldUse("body", List.of("terms with positions"), 3, 100);
    FieldUse price = new FieldUse("price", List.of("points of dimension 1"), 0, 0);
    assertEquals("body", contents(id, body, price).searchedField(null));
    assertEquals("id", contents(id, body, price).searchedField("id"));
    assertEquals(
        "no field 'price' with terms in the index: choose from body, id",
        assertThrows(UsageException.class, () -> contents(id, body, price).searchedField("price"))
            .getMessage());
    assertEquals(
        "no field of the index has terms, and advise asks for terms only; it has [price (points of"
            + " dimension 1)]",
        assertThrows(UsageException.class, () -> contents(price).searchedField(null)).getMessage());
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
