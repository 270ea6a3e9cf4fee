// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.fuzz;

import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Storage;
import io.github.lucenedirectories.testkit.StoreTestCase;
import io.github.lucenedirectories.testkit.index.RandomDocument;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.IOUtils;

/**
 * An index with fields of every kind. {@code CheckIndex}, which reads all of it, finds in each
 * directory what it finds in Lucene's.
 */
final class IndexFormat implements FuzzTarget.Format {

  private static final Pattern EXCEPTION =
      Pattern.compile("(?m)^(?:Caused by: )?([a-z.]+\\.[A-Z]\\w*(?:Exception|Error))\\b");

  /** What a directory may throw first although Lucene's finds another error. */
  private static final Set<String> DOCUMENTED =
      Set.of(
          CorruptIndexException.class.getName(),
          "java.io.EOFException",
          "java.io.IOException",
          "java.nio.file.NoSuchFileException",
          "java.lang.IllegalArgumentException");

  @Override
  public void make(Path work) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(TestUtil.getDefaultCodec());
    try (Directory directory = new MMapDirectory(work);
        IndexWriter writer = new IndexWriter(directory, config.setUseCompoundFile(false))) {
      for (int id = 0; id < 9; id++) {
        writer.addDocument(RandomDocument.of(Integer.toString(id), id));
      }
      writer.commit();
      writer.deleteDocuments(new Term("id", "1"));
      writer.updateNumericDocValue(new Term("id", "2"), "updated_number", 7);
    }
  }

  @Override
  public void correct(Map<String, byte[]> files) {
    for (byte[] file : files.values()) {
      if (file.length > Long.BYTES) {
        CRC32 crc = new CRC32();
        crc.update(file, 0, file.length - Long.BYTES);
        ByteBuffer.wrap(file).putLong(file.length - Long.BYTES, crc.getValue());
      }
    }
  }

  /** Chooses a directory. */
  @Override
  public void check(Map<String, byte[]> files, int choice, Path work) throws IOException {
    List<DirectoryUnderTest> all = DirectoriesUnderTest.all();
    DirectoryUnderTest subject = all.get(choice % all.size());
    IOUtils.rm(work);
    FuzzTarget.save(files, work.resolve("control"));
    String control;
    try (Directory directory = new MMapDirectory(work.resolve("control"))) {
      control = report(directory);
    }
    Set<String> expected = exceptions(control);
    if (control.contains("OutOfMemoryError")) {
      return; // Lucene believes the lengths in an index.
    }
    String report;
    Set<String> found;
    try {
      report = open(subject, files, work.resolve("subject"));
      found = exceptions(report);
    } catch (IOException | RuntimeException e) {
      // From one that loads an index when it is opened.
      report = e.toString();
      found = new TreeSet<>(Set.of(e.getClass().getName()));
    }
    boolean differs = found.isEmpty() != expected.isEmpty();
    found.removeAll(expected);
    found.removeAll(DOCUMENTED);
    if (differs || !found.isEmpty()) {
      throw new AssertionError(subject + "\n" + report + "\nexpected\n" + control);
    }
  }

  private static String open(DirectoryUnderTest subject, Map<String, byte[]> files, Path folder)
      throws IOException {
    boolean stored = Set.of(Storage.MEMORY, Storage.POOLS).contains(subject.storage());
    FuzzTarget.save(stored ? Map.of() : files, folder);
    try (Directory directory = subject.open(folder)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        if (stored) {
          StoreTestCase.write(directory, file.getKey(), file.getValue());
        }
        if (!Arrays.equals(file.getValue(), StoreTestCase.read(directory, file.getKey()))) {
          throw new AssertionError("other bytes: " + file.getKey() + " in " + subject);
        }
      }
      return report(directory);
    }
  }

  private static String report(Directory directory) throws IOException {
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(report, true, StandardCharsets.UTF_8);
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setThreadCount(1);
      check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_INTEGRITY_CHECKS);
      check.setInfoStream(out);
      check.checkIndex();
    } catch (Exception | Error e) {
      e.printStackTrace(out);
    }
    return report.toString(StandardCharsets.UTF_8);
  }

  private static Set<String> exceptions(String report) {
    return EXCEPTION
        .matcher(report)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
