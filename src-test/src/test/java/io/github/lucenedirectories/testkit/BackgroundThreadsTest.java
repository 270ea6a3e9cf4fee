// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.mmap.HybridDirectory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * What background threads live through, what they keep of the threads that start them, and when
 * arenas are closed on them.
 */
public class BackgroundThreadsTest extends LibraryTestCase {

  /** More than a pipe holds, so that writing it waits for the reader. */
  private static final int PIPE_BYTES = 1 << 20;

  private static final long PATIENCE_MILLIS = 10_000;

  /** What asks for the memory may find the heap full. */
  public void testOutOfMemoryInMemoryWatch() throws Exception {
    Path folder = createTempDir();
    AtomicLong memory = new AtomicLong(1L << 40);
    AtomicInteger failures = new AtomicInteger();
    LongSupplier failing =
        () -> {
          if (memory.get() == 1
              && Thread.currentThread().getName().startsWith("lucene-directories-")
              && failures.getAndIncrement() == 0) {
            throw new OutOfMemoryError("planted");
          }
          return memory.get();
        };
    try (HybridDirectory hybrid = HybridDirectory.builder(folder).memoryBytes(failing).build()) {
      write(hybrid, "_0.doc", randomBytes(10_000));
      try (IndexInput in = hybrid.openInput("_0.doc", IOContext.DEFAULT)) {
        assertEquals(10_000, in.length());
        memory.set(1);
        await(() -> hybrid.toString().contains("SCARCE") && failures.get() >= 2);
      }
    }
  }

  /** Neither thread locals nor class loaders of the threads that happen to start them. */
  public void testInheritNothing() throws Exception {
    AtomicInteger inherited = new AtomicInteger();
    InheritableThreadLocal<String> local =
        new InheritableThreadLocal<>() {
          @Override
          protected String childValue(String parent) {
            inherited.incrementAndGet();
            return parent;
          }
        };
    Thread current = Thread.currentThread();
    ClassLoader loaderBefore = current.getContextClassLoader();
    // Threads that earlier tests started would serve this one too.
    for (Thread idle : libraryThreads()) {
      idle.join();
    }
    local.set("of the starting thread");
    try (URLClassLoader loader = new URLClassLoader(new URL[0], loaderBefore);
        HybridDirectory directory =
            HybridDirectory.builder(createTempDir()).directMergeBytes(1).build()) {
      current.setContextClassLoader(loader);
      byte[] bytes = randomBytes(1_000);
      for (int i = 0; i < 8; i++) {
        write(directory, "_" + i + ".doc", bytes);
      }
      directory.openInput("_1.doc", IOContext.DEFAULT).close();
      try (IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        assertEquals(bytes[0], in.readByte());
        directory.sync(
            List.of(directory.listAll()).stream().filter(n -> n.endsWith("doc")).toList());
        List<Thread> threads = libraryThreads();
        assertFalse("no thread was started", threads.isEmpty());
        for (Thread thread : threads) {
          assertNull(thread.getName(), thread.getContextClassLoader());
          assertTrue(thread.getName(), thread.isDaemon());
        }
      }
      assertEquals(0, inherited.get());
    } finally {
      current.setContextClassLoader(loaderBefore);
      local.remove();
    }
  }

  private static List<Thread> libraryThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("lucene-directories-"))
        .toList();
  }

  /** The heap may be full while an arena is closed. */
  public void testOutOfMemoryInReaper() throws Exception {
    try (Reaper reaper = new Reaper()) {
      requireClosed(
          reaper,
          new CountedArena(
              LiveResource.MEMORY_BYTES,
              () -> {
                throw new OutOfMemoryError("planted");
              }));
      for (int i = 0; i < 3; i++) {
        requireClosed(reaper, newArena());
      }
    }
  }

  /** The thread ends when it is idle, and another one begins when there is work again. */
  public void testBeginsAgainAfterItWasIdle() throws Exception {
    try (Reaper reaper = new Reaper()) {
      requireClosed(reaper, newArena());
      for (Thread thread : libraryThreads()) {
        thread.join(PATIENCE_MILLIS);
        assertFalse(thread.isAlive());
      }
      requireClosed(reaper, newArena());
    }
  }

  public void testCloseClosesAllThatWaits() {
    List<CountedArena> arenas =
        Stream.generate(BackgroundThreadsTest::newArena).limit(100).toList();
    try (Reaper reaper = new Reaper()) {
      arenas.forEach(reaper::retire);
    }
    assertTrue(arenas.stream().noneMatch(arena -> arena.scope().isAlive()));
  }

  public void testClosedReaperClosesAtOnce() {
    Reaper reaper = new Reaper();
    reaper.close();
    CountedArena arena = newArena();
    reaper.retire(arena);
    assertFalse(arena.scope().isAlive());
  }

  public void testWaitsForNativeCalls() throws Exception {
    Pipe pipe = Pipe.open();
    try (Reaper reaper = new Reaper();
        Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      AtomicBoolean ended = new AtomicBoolean();
      CountedArena held = new CountedArena(LiveResource.MEMORY_BYTES, () -> ended.set(true));
      ByteBuffer bytes = held.allocate(PIPE_BYTES, 8).asByteBuffer();
      FutureTask<Void> writing =
          begin(
              () -> {
                while (bytes.hasRemaining()) {
                  sink.write(bytes);
                }
              });
      ByteBuffer read = ByteBuffer.allocate(PIPE_BYTES);
      // Once a byte has come through, the writer is in its call, and stays there: the pipe is full.
      source.read(read.limit(1));
      reaper.retire(held);
      requireClosed(reaper, newArena());
      assertTrue("closed under a native call", held.scope().isAlive());
      assertFalse(ended.get());
      read.limit(PIPE_BYTES);
      while (read.hasRemaining()) {
        source.read(read);
      }
      writing.get();
      await(() -> !held.scope().isAlive());
    }
  }

  public void testWhatWaitsIsBounded() {
    int arenas = 20_000;
    long before = LiveResource.ARENAS.amount();
    try (Reaper reaper = new Reaper()) {
      for (int i = 0; i < arenas; i++) {
        reaper.retire(newArena());
        long waiting = LiveResource.ARENAS.amount() - before;
        // One more may be in the hands of the background thread.
        assertTrue("waiting=" + waiting, waiting <= 8_192 + 2);
      }
    }
  }

  private static CountedArena newArena() {
    return new CountedArena(LiveResource.MEMORY_BYTES, () -> {});
  }

  private static void requireClosed(Reaper reaper, CountedArena arena) {
    reaper.retire(arena);
    await(() -> !arena.scope().isAlive());
  }
}
