// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.testkit.StoreTestCase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.CRC32C;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/** A commit journal that a killed process has left, and the link to it in a folder. */
final class JournalFormat implements FuzzTarget.Format {

  private static final Logger LOG = Logger.getLogger(CommitJournal.class.getName());
  private static final String LINK = "index/commit-journal.";
  private static final int BLOCK_BYTES = 1 << 12;
  private static final int BATCH_HEADER_BYTES = 5 * Long.BYTES + 2 * Integer.BYTES;

  @Override
  public void make(Path work) throws IOException {
    Map<String, byte[]> left;
    try (CommitJournal journal = CommitJournal.open(work.resolve("journal"), 1 << 18);
        Directory directory =
            new NrtCacheDirectory(new NioDirectory(work.resolve("index")), journal);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
      for (int i = 0; i < 5; i++) {
        if (i == 4) {
          writer.addDocument(new Document());
        }
        writer.setLiveCommitData(Map.of("commit", Integer.toString(i)).entrySet());
        writer.commit();
        if (i == 1) {
          journal.checkpoint();
        }
      }
      left = FuzzTarget.load(work);
    }
    FuzzTarget.save(left, work);
    String link =
        left.keySet().stream().filter(name -> name.startsWith(LINK)).findAny().orElseThrow();
    Files.move(work.resolve(link), work.resolve("link"));
    Files.writeString(work.resolve("name"), link.substring(LINK.length()));
  }

  @Override
  public boolean changes(String file) {
    return file.matches("journal|link|name");
  }

  @Override
  public void correct(Map<String, byte[]> files) {
    byte[] file = requireNonNull(files.get("journal"));
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = BLOCK_BYTES; at + BATCH_HEADER_BYTES <= file.length; at += BLOCK_BYTES) {
      long length = (long) BATCH_HEADER_BYTES + bytes.getInt(at + Integer.BYTES);
      if (bytes.getInt(at) != 0 && length >= BATCH_HEADER_BYTES && length <= file.length - at) {
        CRC32C crc = new CRC32C();
        crc.update(file, at + Integer.BYTES, (int) length - Integer.BYTES);
        bytes.putInt(at, (int) crc.getValue());
      }
    }
  }

  @Override
  public void check(Map<String, byte[]> files, int choice, Path work) throws IOException {
    LOG.setLevel(Level.OFF); // it names the links that it cannot read
    byte[] link = requireNonNull(files.remove("link"));
    String name = new String(requireNonNull(files.remove("name")), ISO_8859_1);
    if (name.matches("[-.0-9a-z]+")) {
      files.put(LINK + name, link);
    }
    FuzzTarget.save(files, work);
    Path folder = work.resolve("index");
    try (CommitJournal journal = CommitJournal.open(work.resolve("journal"))) {
      try (Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
        for (String file : directory.listAll()) {
          StoreTestCase.read(directory, file);
        }
      } catch (IOException _) {
        if (journal.unrecoveredFolders().contains(folder.toString())) {
          journal.discard(folder.toString());
        }
      }
    } catch (IOException _) {
      // As documented.
    } catch (OutOfMemoryError | AssertionError e) {
      // Lucene believes the lengths in a commit.
      if (!Arrays.toString(e.getStackTrace()).contains("SegmentInfos.readCommit")) {
        throw e;
      }
    }
    for (String file : FuzzTarget.load(work).keySet()) {
      if (!file.matches("journal(\\.lock)?|index/[^/]+")) {
        throw new AssertionError("a file elsewhere: " + file);
      }
    }
  }
}
