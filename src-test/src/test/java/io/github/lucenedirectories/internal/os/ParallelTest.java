// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.lucene.util.IOUtils;

/** Each item once, on several threads, and none of them works on after the end. */
public class ParallelTest extends LibraryTestCase {

  public void testEachItemOnce() throws IOException {
    List<Integer> items = IntStream.range(0, random().nextInt(200)).boxed().toList();
    AtomicIntegerArray runs = new AtomicIntegerArray(items.size() + 1);
    Parallel.forEach(items, random().nextInt(1, 9), runs::incrementAndGet);
    for (int item : items) {
      assertEquals(1, runs.get(item));
    }
  }

  /** The first failure is thrown when every thread has ended its item, and no further one began. */
  public void testFailure() {
    requireThrown(new IOException("of the test"));
    requireThrown(new InternalError("of the test"));
  }

  private static void requireThrown(Throwable failure) {
    AtomicInteger working = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch both = new CountDownLatch(2);
    Throwable thrown =
        expectThrows(
            failure.getClass(),
            () ->
                Parallel.forEach(
                    IntStream.range(0, 100).boxed().toList(),
                    2,
                    item -> {
                      working.incrementAndGet();
                      begun.incrementAndGet();
                      both.countDown();
                      try {
                        both.await();
                        if (item == 0) {
                          throw IOUtils.rethrowAlways(failure);
                        }
                        Thread.sleep(50);
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      } finally {
                        working.decrementAndGet();
                      }
                    }));
    assertSame(failure, thrown);
    assertEquals("still working", 0, working.get());
    assertTrue("begun=" + begun, begun.get() < 10);
  }

  /** The calling thread waits. */
  public void testThreads() throws IOException {
    Thread caller = Thread.currentThread();
    Parallel.forEach(List.of(1), 1, _ -> assertNotSame(caller, Thread.currentThread()));
  }

  /** An interrupt neither ends the waiting for threads nor is lost. */
  public void testJoin() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Thread current = Thread.currentThread();
    Thread waited =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    waited.start();
    current.interrupt();
    FutureTask<Void> ender =
        begin(
            () -> {
              // The interrupt was noticed: the first join has thrown.
              while (current.isInterrupted()) {
                Thread.onSpinWait();
              }
              end.countDown();
            });
    Uninterruptibles.join(waited);
    assertTrue(Thread.interrupted());
    assertFalse(waited.isAlive());
    ender.get();
  }
}
