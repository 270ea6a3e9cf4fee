// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static io.github.lucenedirectories.schedules.Race.filled;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.github.lucenedirectories.schedules.Race;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;

/** Races for a commit journal, and for the directories of which one uses it. */
public final class JournalRaces {

  private JournalRaces() {}

  /** A new journal: a copy, since making one takes other threads. */
  private static Path path() throws IOException {
    Path empty = Race.file("empty");
    if (Files.notExists(empty)) {
      CommitJournal.open(empty, JournalFile.MIN_RING_BYTES).close();
    }
    return Files.copy(empty, Race.file("journal"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** What was written to a journal, one write at a time. */
  private static final class Written implements BlockWriter {
    private final List<byte[]> writes = new ArrayList<>();
    private volatile boolean writing;

    boolean has(int value) {
      return List.copyOf(writes).stream()
          .anyMatch(
              write ->
                  new String(write, ISO_8859_1).contains(new String(filled(value), ISO_8859_1)));
    }

    @Override
    public void write(MemorySegment blocks, long offset) {
      assertFalse("two writes at a time", writing);
      writing = true;
      byte[] bytes = blocks.toArray(ValueLayout.JAVA_BYTE);
      writing = false;
      writes.add(bytes);
    }

    @Override
    public void close() {}
  }

  /** Records are appended together: each is written when its append returns. */
  public static void groupCommit(int threads) throws IOException {
    Written written = new Written();
    JournalFile file =
        JournalFile.open(
            path(),
            JournalFile.MIN_RING_BYTES,
            device -> {
              IOUtils.closeWhileHandlingException(device);
              return written;
            });
    UUID index = new UUID(0, 0);
    try (file) {
      Race.run(
          threads,
          () -> append(file, index, written, 1),
          () -> append(file, index, written, 2),
          () -> append(file, index, written, 3));
      assertTrue("the records are lost", file.isNeededBy(index));
    }
  }

  private static void append(JournalFile file, UUID index, Written written, int value)
      throws IOException {
    file.append(filled(value), index, "");
    assertTrue("acknowledged before it is written: " + value, written.has(value));
  }

  /** Publishes a commit as an IndexWriter does, and deletes the one before. */
  private static void commit(Directory directory, int generation) throws IOException {
    String pending = "pending_segments_" + generation;
    Race.write(directory.createOutput(pending, IOContext.DEFAULT), generation);
    directory.sync(List.of(pending));
    directory.rename(pending, "segments_" + generation);
    directory.syncMetaData();
    if (generation > 1) {
      directory.deleteFile("segments_" + (generation - 1));
    }
  }

  private static void requireCommit(Directory directory, int generation) throws IOException {
    List<String> names = Arrays.stream(directory.listAll()).filter(IndexLoader::isCommit).toList();
    String name = "segments_" + generation;
    assertEquals("commits", List.of(name), names);
    Race.open(directory, name, IOContext.READONCE, generation);
  }

  /** A directory that stays open when the one above it is closed. */
  private static final class Below extends FilterDirectory {
    Below() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public void close() {}
  }

  /** A checkpoint runs during a commit, and a third thread looks for a commit. */
  public static void checkpointAndCommit(int threads) throws IOException {
    Directory below = new Below();
    try (CommitJournal journal = CommitJournal.open(path(), JournalFile.MIN_RING_BYTES);
        Directory directory = new NrtCacheDirectory(below, 1, 4, journal)) {
      commit(directory, 1);
      Race.run(
          threads,
          journal::checkpoint,
          () -> commit(directory, 2),
          () -> {
            List<String> names = List.of(directory.listAll());
            assertTrue("no commit", names.contains("segments_1") || names.contains("segments_2"));
          });
      requireCommit(directory, 2);
    }
    requireCommit(below, 2);
  }
}
