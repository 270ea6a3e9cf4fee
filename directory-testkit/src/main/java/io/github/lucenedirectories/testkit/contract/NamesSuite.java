// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexOutput;

/** Names: which are refused, and what becomes of those of temporary and of deleted files. */
public class NamesSuite extends DirectorySuite {

  /** Separated by spaces; the first name is empty. */
  private static final String ILLEGAL =
      " . .. / \\ a/b /a a/ ../outside ./a a\\b ..\\outside \\a a\\ \0 a\0 \0a a\0b";

  public NamesSuite(Subject subject) {
    super(subject);
  }

  public void testIllegalNamesAreRefused() throws IOException {
    assumePromised(Promise.CHECKED_NAMES);
    Path outer = createTempDir();
    Files.writeString(outer.resolve("outside"), "untouched");
    Path folder = Files.createDirectory(outer.resolve("index"));
    try (Directory directory = open(folder)) {
      write(directory, "a", randomBytes(10));
      List<String> names = names(directory);
      for (String name : ILLEGAL.split(" ", -1)) {
        refused(name, () -> directory.createOutput(name, anyContext()).close());
        refused(name, () -> directory.openInput(name, anyContext()).close());
        refused(name, () -> directory.openChecksumInput(name).close());
        refused(name, () -> directory.deleteFile(name));
        refused(name, () -> directory.fileLength(name));
        refused(name, () -> directory.rename(name, "b"));
        refused(name, () -> directory.rename("a", name));
        refused(name, () -> directory.sync(List.of(name)));
        refused(name, () -> directory.sync(List.of("a", name)));
        refused(name, () -> directory.copyFrom(directory, "a", name, anyContext()));
        refused(name, () -> directory.copyFrom(directory, name, "b", anyContext()));
        assertEquals(names, names(directory));
      }
      // For a temporary file the parts are joined: what counts is the name that results.
      for (String part : List.of("/", "\\", "\0", "../outside", "a/b", "a\\b", "a\0b")) {
        refused(part, () -> directory.createTempOutput(part, "suffix", anyContext()).close());
        refused(part, () -> directory.createTempOutput("prefix", part, anyContext()).close());
        assertEquals(names, names(directory));
      }
    }
    assertEquals("untouched", Files.readString(outer.resolve("outside")));
  }

  public void testUnusualNamesAreAccepted() throws IOException {
    try (Directory directory = open()) {
      List<String> unusual =
          List.of(".hidden", "..a", "a..b", "-", "~", "a b", "A", "0", "x".repeat(200));
      for (String name : unusual) {
        byte[] bytes = randomBytes(name.length());
        write(directory, name, bytes);
        assertArrayEquals(bytes, read(directory, name));
      }
      assertEquals(unusual.stream().sorted().toList(), names(directory));
      for (String name : unusual) {
        directory.deleteFile(name);
      }
      assertEquals(List.of(), names(directory));
    }
  }

  public void testTemporaryNames() throws IOException {
    try (Directory directory = open()) {
      write(directory, "_0_flush_0.tmp", randomBytes(10));
      write(directory, "_0_flush_1.tmp", randomBytes(10));
      String first;
      try (IndexOutput out = directory.createTempOutput("_0", "flush", anyContext());
          IndexOutput other = directory.createTempOutput("_0", "flush", anyContext())) {
        first = out.getName();
        assertTrue(first, first.startsWith("_0") && first.endsWith(".tmp"));
        assertTrue(first, first.contains("flush"));
        assertNotEquals(first, other.getName());
        assertTrue(names(directory).containsAll(List.of(first, other.getName())));
      }
      assertEquals(4, names(directory).size());
      directory.deleteFile(first);
      assertEquals(3, names(directory).size());
    }
  }

  public void testDeletedWhileWritten() throws IOException {
    try (Directory directory = open()) {
      IndexOutput old = directory.createOutput("name", anyContext());
      old.writeBytes(randomBytes(10_000), 10_000);
      directory.deleteFile("name");
      assertEquals(List.of(), names(directory));
      byte[] bytes = randomBytes(3_000);
      write(directory, "name", bytes);
      old.writeBytes(randomBytes(10_000), 10_000);
      old.close();
      // Closing the old output brings nothing back and leaves its successor alone.
      assertEquals(List.of("name"), names(directory));
      assertArrayEquals(bytes, read(directory, "name"));
    }
  }

  private static void refused(String name, ThrowingRunnable action) {
    String shown = "name \"" + name.replace('\0', '?') + "\" must be refused";
    expectThrows(IllegalArgumentException.class, shown, action);
  }
}
