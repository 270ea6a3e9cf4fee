// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/** Pool files that a second process opens, or that are taken away, while a directory uses them. */
@LuceneTestCase.SuppressFileSystems("*") // another process uses the files
public class PoolLockTest extends PoolTestCase {

  private static final long PATIENCE_SECONDS = 120;
  private static final String FIRST_POOL = "pool-00000.pmem";

  private Path folder = Path.of("");

  @Override
  public void setUp() throws Exception {
    super.setUp();
    folder = createTempDir().resolve("pools");
  }

  /** Only the lock of the pool files is left when someone has removed the file of the other. */
  public void testSecondProcessIsRefused() throws Exception {
    Map<String, byte[]> synced = new HashMap<>();
    PmemDirectory.Builder builder = pools(folder);
    try (PmemDirectory directory = builder.build()) {
      for (int i = 0; i < 3; i++) {
        sync(directory, synced, "_" + i);
        // Opening an input must not unlock the pool, not even on an interrupted thread.
        try (IndexInput _ = openInterrupted(directory, "_" + i)) {
          assertEquals(LockObtainFailedException.class.getName(), otherProcess());
        }
        Files.deleteIfExists(folder.resolve("pmem.lock"));
      }
      sync(directory, synced, "last");
    }
    assertReopened(synced, builder);
    assertEquals("opened", otherProcess());
    synced.put("other", new byte[1]);
    assertReopened(synced, builder);
  }

  private static IndexInput openInterrupted(PmemDirectory directory, String name)
      throws IOException {
    Thread.currentThread().interrupt();
    try {
      return directory.openInput(name, IOContext.DEFAULT);
    } finally {
      assertTrue("the interrupt is kept", Thread.interrupted());
    }
  }

  /** What would be acknowledged could not be found any more. */
  public void testPoolsTakenAway() throws Exception {
    Path aside = folder.resolveSibling("aside");
    for (IOConsumer<Path> taken :
        List.<IOConsumer<Path>>of(
            pools -> Files.delete(pools.resolve(FIRST_POOL)),
            IOUtils::rm,
            pools -> {
              Files.copy(pools.resolve(FIRST_POOL), aside);
              Files.delete(pools.resolve(FIRST_POOL));
              Files.move(aside, pools.resolve(FIRST_POOL));
            })) {
      try (PmemDirectory directory = pools(folder).build()) {
        sync(directory, new HashMap<>(), "synced");
        write(directory, "written", new byte[10]);
        taken.accept(folder);
        Files.deleteIfExists(folder.resolve("pmem.lock"));
        assertRefused(directory);
        // It was asked to stop, and does not harm the one that follows it.
        assertEquals("opened", otherProcess());
        assertRefused(directory);
        assertArrayEquals("still readable", new byte[10], read(directory, "written"));
      }
      try (PmemDirectory other = pools(folder).build()) {
        assertArrayEquals(new byte[1], read(other, "other"));
      }
      IOUtils.rm(folder);
    }
  }

  private static void assertRefused(PmemDirectory directory) {
    for (ThrowingRunnable step :
        List.<ThrowingRunnable>of(
            () -> directory.sync(List.of("written")),
            () -> directory.rename("written", "renamed"),
            () -> directory.rename("synced", "renamed"))) {
      String message = String.valueOf(expectThrows(IOException.class, step).getMessage());
      assertTrue(message, message.startsWith("a pool file in use was re"));
      assertTrue(message, message.endsWith(FIRST_POOL));
    }
  }

  /** Nothing was written meanwhile. */
  public void testFolderThatComesBack() throws Exception {
    Path aside = folder.resolveSibling("aside");
    Map<String, byte[]> synced = new HashMap<>();
    PmemDirectory.Builder builder = pools(folder);
    try (PmemDirectory directory = builder.build()) {
      sync(directory, synced, "synced");
      write(directory, "written", new byte[10]);
      Files.move(folder, aside);
      assertRefused(directory);
      Files.move(aside, folder);
      sync(directory, synced, "again");
      directory.sync(List.of("written"));
      synced.put("written", new byte[10]);
    }
    assertReopened(synced, builder);
  }

  /** Each pool file that a file lies in is asked for. */
  public void testLaterPoolTakenAway() throws Exception {
    try (PmemDirectory directory = pools(folder).build()) {
      write(directory, "long", new byte[Math.toIntExact(POOL_BYTES)]);
      write(directory, "short", new byte[1]);
      Files.delete(folder.resolve("pool-00001.pmem"));
      IOException e = expectThrows(IOException.class, () -> directory.sync(List.of("long")));
      assertTrue(e.toString(), e.toString().endsWith("pool-00001.pmem"));
      directory.sync(List.of("short"));
    }
  }

  private static void sync(PmemDirectory directory, Map<String, byte[]> synced, String name)
      throws IOException {
    byte[] bytes = randomBytes(1 + random().nextInt(1 << 10));
    writeDurably(directory, name, bytes);
    synced.put(name, bytes);
  }

  private String otherProcess() throws Exception {
    Path output = createTempFile();
    List<String> command =
        JavaCommand.of(List.of("-XX:TieredStopAtLevel=1"), Program.class, folder.toString());
    int status = JavaCommand.run(command, output, PATIENCE_SECONDS);
    assertEquals(Files.readString(output), 0, status);
    return Files.readString(output).lines().toList().getLast();
  }

  /** Writes a file into the pools of a folder, if it can open them. */
  @SuppressForbidden(reason = "the parent process reads what it prints")
  public static final class Program {

    private Program() {}

    /** The argument is the folder. */
    public static void main(String[] args) throws IOException {
      try (PmemDirectory directory =
          PmemDirectory.builder(Path.of(args[0]))
              .engine(PmemEngine.JDK)
              .mode(PmemMode.FILE)
              .initialBytes(POOL_BYTES)
              .build()) {
        writeDurably(directory, "other", new byte[1]);
        System.out.println("opened");
      } catch (LockObtainFailedException e) {
        System.out.println(e.getClass().getName());
      }
    }
  }
}
