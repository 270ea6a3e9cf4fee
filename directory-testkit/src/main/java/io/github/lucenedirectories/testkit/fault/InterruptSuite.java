// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.fault;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;

/**
 * An interrupted thread reads and writes like any other, keeps its interrupt, and takes no file
 * away from other threads.
 */
public class InterruptSuite extends DirectorySuite {

  public InterruptSuite(Subject subject) {
    super(subject);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumePromised(Promise.INTERRUPTS);
  }

  @Override
  public void tearDown() throws Exception {
    // A test that failed must not hand its interrupt to the next one.
    Thread.interrupted();
    super.tearDown();
  }

  /** Does the work with the interrupt flag set, and expects the flag to be kept. */
  private static void interrupted(String what, IORunnable work) throws IOException {
    Thread.currentThread().interrupt();
    try {
      work.run();
    } finally {
      assertTrue("interrupt flag lost: " + what, Thread.interrupted());
    }
  }

  public void testReads() throws IOException {
    byte[] bytes = randomBytes(200_000);
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT);
          IndexInput other = directory.openInput("file", IOContext.DEFAULT)) {
        IndexInput clone = in.clone();
        for (int i = 0; i < 50; i++) {
          int pos = random().nextInt(bytes.length - 10_000);
          byte[] part = new byte[random().nextInt(1, 10_000)];
          in.seek(pos);
          interrupted("read", () -> in.readBytes(part, 0, part.length));
          assertArrayEquals(Arrays.copyOfRange(bytes, pos, pos + part.length), part);
          interrupted("prefetch", () -> in.prefetch(pos, part.length));
          interrupted(
              "random access",
              () -> assertEquals(bytes[pos], in.randomAccessSlice(pos, 1).readByte(0)));
          for (IndexInput untouched : List.of(clone, other)) {
            untouched.seek(pos);
            assertEquals(bytes[pos], untouched.readByte());
          }
        }
      }
      for (IOContext context : List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext())) {
        interrupted(
            "open and close",
            () -> {
              try (IndexInput in = directory.openInput("file", context)) {
                assertArrayEquals(bytes, remaining(in));
              }
            });
      }
    }
  }

  public void testWrites() throws IOException {
    byte[] bytes = randomBytes(300_000);
    try (Directory directory = open()) {
      interrupted("write", () -> write(directory, "a", bytes));
      assertArrayEquals(bytes, read(directory, "a"));
      try (IndexOutput out = directory.createOutput("b", IOContext.DEFAULT)) {
        int pos = 0;
        while (pos < bytes.length) {
          int from = pos;
          int count = Math.min(bytes.length - pos, random().nextInt(1, 50_000));
          if (random().nextBoolean()) {
            interrupted("write", () -> out.writeBytes(bytes, from, count));
          } else {
            out.writeBytes(bytes, from, count);
          }
          pos += count;
        }
      }
      assertArrayEquals(bytes, read(directory, "b"));
      interrupted("temporary", () -> directory.createTempOutput("a", "b", anyContext()).close());
      interrupted("list", () -> assertEquals(3, names(directory).size()));
      interrupted("rename", () -> directory.rename("b", "c"));
      interrupted("delete", () -> directory.deleteFile("a"));
      interrupted("length", () -> assertEquals(bytes.length, directory.fileLength("c")));
      assertArrayEquals(bytes, read(directory, "c"));
    }
  }

  public void testInterruptsInTheMiddle() throws Exception {
    byte[] bytes = randomBytes(200_000);
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      AtomicBoolean stop = new AtomicBoolean();
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        BlockingQueue<Thread> victim = new ArrayBlockingQueue<>(1);
        List<FutureTask<Void>> reading = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          InputView view = InputView.of(in.clone(), bytes, 0).getFirst();
          Random random = new Random(random().nextLong());
          reading.add(
              start(
                  () -> {
                    victim.offer(Thread.currentThread());
                    while (!stop.get()) {
                      view.read(random);
                      boolean _ = random.nextInt(8) == 0 && Thread.interrupted();
                    }
                    return null;
                  }));
        }
        Thread interrupted = victim.take();
        for (int i = 0; i < atLeast(2_000); i++) {
          interrupted.interrupt();
          for (int spin = random().nextInt(1_000); spin > 0; spin--) {
            Thread.onSpinWait();
          }
          if (i % 100 == 0) {
            Thread.sleep(1);
          }
        }
        stop.set(true);
        for (FutureTask<Void> each : reading) {
          each.get(30, TimeUnit.SECONDS);
        }
      }
      assertArrayEquals(bytes, read(directory, "file"));
    }
  }
}
