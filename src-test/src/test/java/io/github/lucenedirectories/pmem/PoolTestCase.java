// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Llpl;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.store.Directory;

/** A test of directories of pools as small as can be, and of what is in them. */
abstract class PoolTestCase extends LibraryTestCase {

  static final long POOL_BYTES = Layout.SMALLEST_POOL_BYTES;

  /** Written by the Java runtime: possible everywhere. */
  static PmemDirectory.Builder byJdk(Path folder) {
    return small(folder).engine(PmemEngine.JDK).mode(PmemMode.FILE);
  }

  /** Written by LLPL, where it can be loaded. */
  static PmemDirectory.Builder byLlpl(Path folder) {
    return small(folder).engine(PmemEngine.LLPL).mode(PmemMode.EMULATED);
  }

  /** Written by either. */
  static PmemDirectory.Builder pools(Path folder) {
    return Llpl.loads() && random().nextBoolean() ? byLlpl(folder) : byJdk(folder);
  }

  private static PmemDirectory.Builder small(Path folder) {
    return PmemDirectory.builder(folder).initialBytes(POOL_BYTES).poolFileBytes(POOL_BYTES);
  }

  /** Fails unless a directory has these files and no other. */
  static void assertFiles(Map<String, byte[]> expected, Directory directory) throws IOException {
    assertEquals(expected.keySet(), new TreeSet<>(Arrays.asList(directory.listAll())));
    for (Map.Entry<String, byte[]> file : expected.entrySet()) {
      assertArrayEquals(file.getKey(), file.getValue(), read(directory, file.getKey()));
    }
  }

  /** Fails unless a directory that is opened now has these files and no other. */
  static void assertReopened(Map<String, byte[]> expected, PmemDirectory.Builder pools)
      throws IOException {
    try (PmemDirectory directory = pools.build()) {
      assertFiles(expected, directory);
    }
  }

  /** The bytes of all pool files in a folder. */
  static Map<String, byte[]> poolFiles(Path folder) throws IOException {
    Map<String, byte[]> pools = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!name.equals("pmem.lock")) {
          pools.put(name, Files.readAllBytes(file));
        }
      }
    }
    return pools;
  }

  /** Makes a folder's pool files what they were. */
  static void restore(Path folder, Map<String, byte[]> pools) throws IOException {
    for (String name : poolFiles(folder).keySet()) {
      Files.delete(folder.resolve(name));
    }
    for (Map.Entry<String, byte[]> pool : pools.entrySet()) {
      Files.write(folder.resolve(pool.getKey()), pool.getValue());
    }
  }

  /** Fails unless both are the same pool files. */
  static void assertPools(Map<String, byte[]> expected, Map<String, byte[]> found) {
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach((name, bytes) -> assertTrue(name, Arrays.equals(bytes, found.get(name))));
  }

  /** Appends records until the log is full and is rewritten. */
  static void compact(Directory directory) throws IOException {
    String name = "x".repeat(LogEntry.MOST_NAME_BYTES / 10 * 9);
    writeDurably(directory, name, new byte[0]);
    directory.deleteFile(name);
    directory.syncMetaData();
  }

  /** Writes a file and makes it durable. */
  static void writeDurably(Directory directory, String name, byte[] bytes) throws IOException {
    write(directory, name, bytes);
    directory.sync(List.of(name));
  }
}
