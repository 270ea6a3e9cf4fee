package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.Reaper;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** When arenas are closed, and on which thread. */
public class ReaperTest extends LibraryTestCase {

  /** More than a pipe holds, so that writing it waits for the reader. */
  private static final int PIPE_BYTES = 1 << 20;

  private static final long PATIENCE_MILLIS = 10_000;

  /** The heap may be full while an arena is closed. */
  public void testOutOfMemory() throws Exception {
    try (Reaper reaper = new Reaper()) {
      CountedArena first =
          new CountedArena(
              LiveResource.MEMORY_BYTES,
              () -> {
                throw new OutOfMemoryError("planted");
              });
      reaper.retire(first);
      awaitClosed(first);
      for (int i = 0; i < 3; i++) {
        CountedArena next = newArena();
        reaper.retire(next);
        awaitClosed(next);
      }
    }
  }

  /** The thread ends when it is idle, and another one begins when there is work again. */
  public void testBeginsAgainAfterItWasIdle() throws Exception {
    try (Reaper reaper = new Reaper()) {
      CountedArena first = newArena();
      reaper.retire(first);
      awaitClosed(first);
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("lucene-directories-reaper-")) {
          thread.join(PATIENCE_MILLIS);
          assertFalse(thread.isAlive());
        }
      }
      CountedArena second = newArena();
      reaper.retire(second);
      awaitClosed(second);
    }
  }

  public void testCloseClosesAllThatWaits() {
    List<CountedArena> arenas = new ArrayList<>();
    try (Reaper reaper = new Reaper()) {
      for (int i = 0; i < 100; i++) {
        CountedArena arena = newArena();
        arenas.add(arena);
        reaper.retire(arena);
      }
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
      CompletableFuture<Void> writing = new CompletableFuture<>();
      Thread writer =
          new Thread(
              () -> {
                try {
                  while (bytes.hasRemaining()) {
                    sink.write(bytes);
                  }
                  writing.complete(null);
                } catch (Throwable t) {
                  writing.completeExceptionally(t);
                }
              },
              "pipe-writer");
      writer.start();
      ByteBuffer read = ByteBuffer.allocate(PIPE_BYTES);
      // Once a byte has come through, the writer is in its call, and stays there: the pipe is full.
      source.read(read.limit(1));
      reaper.retire(held);
      CountedArena behind = newArena();
      reaper.retire(behind);
      awaitClosed(behind);
      assertTrue("closed under a native call", held.scope().isAlive());
      assertFalse(ended.get());
      read.limit(PIPE_BYTES);
      while (read.hasRemaining()) {
        source.read(read);
      }
      writing.get();
      writer.join();
      awaitClosed(held);
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
    return new CountedArena(LiveResource.MEMORY_BYTES);
  }

  private static void awaitClosed(Arena arena) {
    await(() -> !arena.scope().isAlive());
  }
}
