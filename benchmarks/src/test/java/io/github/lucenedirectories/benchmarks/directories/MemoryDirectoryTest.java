package io.github.lucenedirectories.benchmarks.directories;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.harness.MemoryFolder;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryDirectoryTest {
  private static final String PROPERTY = "lucene-directories.memory";

  private Path run;

  @BeforeEach
  void ofThisRunAlone() throws IOException {
    run = MemoryFolder.create();
    System.setProperty(PROPERTY, run.toString());
  }

  @AfterEach
  void remove() throws IOException {
    System.clearProperty(PROPERTY);
    Workspace.deleteTree(run);
  }

  @Test
  void itsPoolsGoWhenItIsClosed() throws IOException {
    try (Directory directory = MemoryDirectory.pools()) {
      try (IndexOutput out = directory.createOutput("a", IOContext.DEFAULT)) {
        out.writeLong(1);
      }
      assertEquals(1, folders().size());
      assertTrue(Files.exists(folders().get(0).resolve("pool-00000.pmem")));
    }
    assertEquals(List.of(), folders());
  }

  @Test
  void itsMappedFilesGoWhenItIsClosed() throws IOException {
    try (Directory directory = MemoryDirectory.mapped()) {
      directory.createOutput("a", IOContext.DEFAULT).close();
      assertEquals(1, folders().size());
      assertTrue(Files.exists(folders().get(0).resolve("a")));
    }
    assertEquals(List.of(), folders());
  }

  private List<Path> folders() throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files.toList();
    }
  }
}
