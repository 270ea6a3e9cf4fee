// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.LibrarySuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.IOFunction;

/** A folder that one directory wrote is the same to every other that keeps ordinary files. */
public class DurabilityTest extends LibrarySuite {

  public DurabilityTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoryUnderTest::syncsFiles);
  }

  /** Lucene's directories and all of ours that keep ordinary files. */
  private static List<IOFunction<Path, Directory>> readers() {
    List<IOFunction<Path, Directory>> readers = new ArrayList<>();
    readers.add(MMapDirectory::new);
    readers.add(NIOFSDirectory::new);
    DirectoriesUnderTest.all().stream()
        .filter(DirectoryUnderTest::keepsFiles)
        .forEach(each -> readers.add(each::open));
    return readers;
  }

  /** What was synced and renamed is there before anything is closed, and afterwards. */
  public void testOthersReadWhatThisWrote() throws IOException {
    Path folder = createTempDir();
    Map<String, byte[]> files;
    try (Directory directory = open(folder)) {
      files = fill(directory);
      checkByAll(folder, files);
    }
    checkByAll(folder, files);
    // And by the writer itself, after it was closed and opened again.
    try (Directory directory = open(folder)) {
      check(directory, files);
    }
  }

  private static void checkByAll(Path folder, Map<String, byte[]> files) throws IOException {
    for (IOFunction<Path, Directory> reader : readers()) {
      try (Directory directory = reader.apply(folder)) {
        check(directory, files);
      }
    }
  }

  public void testThisReadsWhatOthersWrote() throws IOException {
    for (IOFunction<Path, Directory> writer : readers()) {
      Path folder = createTempDir();
      Map<String, byte[]> files;
      try (Directory directory = writer.apply(folder)) {
        files = fill(directory);
      }
      try (Directory directory = open(folder)) {
        check(directory, files);
      }
    }
  }

  /** Writes, syncs, renames and deletes files as a commit does. */
  private Map<String, byte[]> fill(Directory directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    int edge = variant.way().edgeBytes();
    for (int length : new int[] {0, 1, edge, edge + 1, 3 * edge + 7, 100_000}) {
      String name = "_" + files.size() + ".dat";
      byte[] bytes = randomBytes(length);
      try (IndexOutput out = directory.createOutput(name, anyContext())) {
        out.writeBytes(bytes, bytes.length);
      }
      files.put(name, bytes);
    }
    write(directory, "deleted", randomBytes(100));
    directory.deleteFile("deleted");
    byte[] commit = randomBytes(200);
    write(directory, "pending", commit);
    List<String> names = new ArrayList<>(files.keySet());
    names.add("pending");
    directory.sync(names);
    directory.rename("pending", "renamed");
    directory.syncMetaData();
    files.put("renamed", commit);
    return files;
  }

  private static void check(Directory directory, Map<String, byte[]> files) throws IOException {
    List<String> names = new ArrayList<>(names(directory));
    // A lock may leave its file.
    names.removeIf(name -> name.endsWith(".lock"));
    assertEquals(List.copyOf(files.keySet()), names);
    for (var file : files.entrySet()) {
      assertEquals(file.getValue().length, directory.fileLength(file.getKey()));
      assertArrayEquals(file.getKey(), file.getValue(), read(directory, file.getKey()));
    }
  }
}
