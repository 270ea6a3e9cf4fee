// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.mockfile.ExtrasFS;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Helpers that tests of directories share. */
public abstract class StoreTestCase extends LuceneTestCase {

  /** Waits until a condition holds, and fails after half a minute. */
  public static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue("waits in vain", System.nanoTime() < deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Runs a task on a new thread. */
  public static <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(future, "started-by-test").start();
    return future;
  }

  /** Writes a whole file. */
  public static void write(Directory directory, String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  /** Reads a whole file. */
  public static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      return remaining(in);
    }
  }

  /** Reads all bytes from the input's position on. */
  public static byte[] remaining(IndexInput in) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(in.length() - in.getFilePointer())];
    in.readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  /** The names in a directory without those that a mock file system adds to confuse. */
  public static List<String> names(Directory directory) throws IOException {
    return Arrays.stream(directory.listAll()).filter(name -> !ExtrasFS.isExtra(name)).toList();
  }

  /** {@code length} random bytes. */
  public static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random().nextBytes(bytes);
    return bytes;
  }
}
