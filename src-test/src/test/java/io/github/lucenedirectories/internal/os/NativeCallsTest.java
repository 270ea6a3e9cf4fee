// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Names of files that native calls take, and what system calls say. */
@LuceneTestCase.SuppressFileSystems("*") // the names of a real file system are what matters
public class NativeCallsTest extends LibraryTestCase {

  public void testPlainName() {
    Path path = createTempDir().resolve("file");
    assertEquals(path.toAbsolutePath().toString(), NativePath.of(path).orElseThrow().toString());
  }

  public void testRefusals() {
    NativePath path = NativePath.of(createTempDir()).orElseThrow();
    assertSame(NoSuchFileException.class, path.failure(2, "reason").getClass());
    assertSame(AccessDeniedException.class, path.failure(13, "reason").getClass());
    assertSame(FileSystemException.class, path.failure(24, "reason").getClass());
  }

  /** A folder whose name is no text in the platform's character set, reached through a link. */
  public void testNameThatIsNoText() throws Exception {
    Path folder = createTempDir();
    assumeTrue("no such name can be made", makeName(folder));
    Path real = folder.resolve("link").toRealPath();
    assumeFalse("a text here", isText(real));
    assertEquals(Optional.empty(), NativePath.of(real.resolve("file")));
    byte[] bytes = randomBytes(1_000);
    try (Directory directory = new NioDirectory(folder.resolve("link"))) {
      write(directory, "file", bytes);
      assertArrayEquals(bytes, read(directory, "file"));
    }
  }

  private static boolean makeName(Path folder) throws InterruptedException {
    String commands =
        "cd \"$0\" && ln -s \"$(printf 'x\\351')\" link && mkdir \"$(printf 'x\\351')\"";
    try {
      return new ProcessBuilder("sh", "-c", commands, folder.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isText(Path path) {
    try {
      return Path.of(path.toString()).equals(path);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * Files below /proc cannot be synced: the JDK says so in the same words, whatever the language.
   */
  public void testMessagesOfUnknownCalls() throws IOException {
    Path file = Path.of("/proc/self/status");
    assumeTrue("no " + file, Files.isReadable(file));
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    Set<String> messages = NativeCalls.get().orElseThrow().files().messagesOfUnknownCalls();
    try (FileChannel channel = FileChannel.open(file)) {
      IOException refused = expectThrows(IOException.class, () -> channel.force(true));
      assertTrue(refused + " " + messages, messages.contains(refused.getMessage()));
    }
  }
}
