// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
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

  /** Where the system refuses one call for many ranges, as before Linux 6.14, each has its own. */
  public void testRangesAreLoadedWhereBatchesAreRefused() throws Exception {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    NativeCalls calls = NativeCalls.get().orElseThrow();
    Path file = createTempDir().resolve("file");
    int pages = 256;
    Files.write(file, new byte[pages * (int) NativeCalls.pageBytes()]);
    int descriptor = calls.files().openForRead(NativePath.of(file).orElseThrow());
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) {
      channel.force(true);
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      for (boolean refused : new boolean[] {false, true}) {
        calls.files().advise(descriptor, 0, channel.size(), FileCalls.Advice.NOT_NEEDED);
        assumeTrue("not evicted", residentPages(calls, mapped) < pages);
        long[] ranges = {mapped.address() + 1, mapped.byteSize() / 2, 0, mapped.byteSize() / 2};
        ranges[2] = mapped.address() + ranges[1];
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread =
            new Thread(
                () -> {
                  if (refused) {
                    refuseBatches();
                  }
                  calls.willNeed(ranges, 2);
                });
        thread.setUncaughtExceptionHandler((_, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        assertNull(failure.get());
        for (int i = 0; residentPages(calls, mapped) < pages; i++) {
          assertTrue("refused=" + refused, i < 200);
          Thread.sleep(10);
        }
      }
    } finally {
      calls.files().close(descriptor);
    }
  }

  private static int residentPages(NativeCalls calls, MemorySegment mapped) {
    int count = 0;
    for (byte page : calls.residentPages(mapped).orElseThrow()) {
      count += page & 1;
    }
    return count;
  }

  /** Lets a seccomp filter refuse {@code process_madvise} on the calling thread until it ends. */
  @SuppressWarnings("restricted")
  private static void refuseBatches() {
    // Load the number of the call; if it is that one, return the error EBADF, else allow it.
    long[] program = {
      0x20L, 0x15L | 1L << 24 | 440L << 32, 0x6L | 0x50009L << 32, 0x6L | 0x7fff0000L << 32
    };
    MethodHandle prctl =
        NativeLinks.link(
            "prctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment filter = arena.allocate(JAVA_LONG, 2);
      filter.set(JAVA_SHORT, 0, (short) program.length);
      filter.setAtIndex(JAVA_LONG, 1, arena.allocateFrom(JAVA_LONG, program).address());
      int noNewPrivileges = (int) prctl.invokeExact(38, 1L, 0L, 0L, 0L);
      int seccomp = (int) prctl.invokeExact(22, 2L, filter.address(), 0L, 0L);
      if ((noNewPrivileges | seccomp) != 0) {
        throw new IllegalStateException("no filter");
      }
    } catch (Throwable t) {
      throw NativeLinks.unexpected(t);
    }
  }
}
