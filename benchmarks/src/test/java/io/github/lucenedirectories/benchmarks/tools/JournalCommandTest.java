// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools for a journal as a user types them. */
class JournalCommandTest {

  @TempDir private Path folder;
  private Path index;
  private Path journal;

  private static EndedCommand run(Object... words) {
    return EndedCommand.typed(Stream.concat(Stream.of("journal"), Stream.of(words)).toArray());
  }

  /** A journal as a crash leaves it, with a commit that the folder lacks. */
  @BeforeEach
  void crash() throws IOException {
    folder = folder.toRealPath();
    index = folder.resolve("index");
    journal = folder.resolve("journal");
    Path used = folder.resolve("used");
    try (CommitJournal open = CommitJournal.open(used, 1 << 18);
        Directory directory = new NrtCacheDirectory(new NioDirectory(index), open);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
      writer.addDocument(new Document());
      writer.commit();
      open.checkpoint();
      writer.addDocument(new Document());
      writer.commit();
      Files.copy(used, journal);
      try (Stream<Path> files = Files.list(index)) {
        Path left = Files.createDirectory(folder.resolve("left"));
        for (Path file : files.toList()) {
          Files.copy(file, left.resolve(file.getFileName()));
        }
      }
    }
    IOUtils.rm(index, used);
    Files.move(folder.resolve("left"), index);
  }

  private int documents() throws IOException {
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  @Test
  void commitsComeIntoTheFolder() throws IOException {
    EndedCommand info = run("info", journal);
    info.assertDone();
    assertTrue(info.out().contains("unrecoveredFolders=[" + index + "]"), info.out());
    EndedCommand check = run("check", journal);
    check.assertDone();
    assertTrue(check.out().startsWith("whole: "), check.out());
    assertEquals(1, documents());
    EndedCommand checkpoint = run("checkpoint", journal);
    checkpoint.assertDone();
    assertEquals("up to date: " + index, checkpoint.out().strip());
    assertEquals(2, documents());
    assertTrue(run("info", journal).out().contains("unrecoveredFolders=[]"));
  }

  @Test
  void commitsAreGivenUpOnceThatIsConfirmed() throws IOException {
    run("discard", journal, index)
        .assertRefused("commits in the journal will be lost; --yes confirms it");
    assertTrue(run("info", journal).out().contains("unrecoveredFolders=[" + index + "]"));
    Path relative = Path.of("").toAbsolutePath().relativize(index);
    run("discard", journal, relative, "--yes").assertDone();
    assertTrue(run("info", journal).out().contains("unrecoveredFolders=[]"));
    assertEquals(1, documents());
  }

  @Test
  void whatIsNotThereIsNotMade() throws IOException {
    Path none = folder.resolve("none");
    for (String tool : new String[] {"info", "check", "checkpoint"}) {
      run(tool, none).assertRefused("no such journal: " + none);
    }
    assertFalse(Files.exists(none));
    IOUtils.rm(index);
    EndedCommand missing = run("checkpoint", journal);
    assertEquals(1, missing.status());
    assertTrue(missing.err().contains("the folder is missing"), missing.err());
  }

  @Test
  void damageAndUseAreReported() throws IOException {
    try (CommitJournal _ = CommitJournal.open(journal)) {
      EndedCommand info = run("info", journal);
      assertTrue(info.err().contains("the journal is in use: " + journal), info.err());
    }
    byte[] bytes = Files.readAllBytes(journal);
    bytes[9] ^= 1;
    Files.write(journal, bytes);
    EndedCommand check = run("check", journal);
    assertEquals(1, check.status());
    assertTrue(check.err().contains("damaged at offset 0"), check.err());
  }
}
