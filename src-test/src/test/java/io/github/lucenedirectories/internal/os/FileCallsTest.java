package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** What system calls tell. */
public class FileCallsTest extends LibraryTestCase {

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
