package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What background threads live through, and what they keep of the threads that start them. */
public class BackgroundThreadsTest extends LibraryTestCase {

  private static final long PATIENCE_SECONDS = 60;

  /** A heap that is full for a while ends no background thread for good. */
  public void testFullHeap() throws Exception {
    Path folder = createTempDir().toRealPath();
    List<String> command = JavaCommand.of(List.of("-Xmx64m"), FullHeap.class, folder.toString());
    Path output = folder.resolve("output");
    JavaCommand.run(command, output, 2 * PATIENCE_SECONDS);
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertTrue(said, said.contains("survived"));
  }

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
        await(() -> hybrid.toString().contains("STARVED") && failures.get() >= 2);
      }
    }
  }

  /** Argument: an empty folder. */
  public static final class FullHeap {
    private static final int INPUTS = 500;

    private FullHeap() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[0]);
      Files.write(folder.resolve("_0.doc"), new byte[10_000]);
      AtomicLong memory = new AtomicLong(1L << 40);
      try (Directory mapped = new MappedDirectory(folder);
          HybridDirectory hybrid =
              HybridDirectory.builder(folder).memoryBytes(memory::get).build();
          IndexInput watched = hybrid.openInput("_0.doc", IOContext.DEFAULT)) {
        Deque<IndexInput> inputs = new ArrayDeque<>();
        for (int i = 0; i <= INPUTS; i++) {
          inputs.add(mapped.openInput("_0.doc", IOContext.DEFAULT));
        }
        fillHeapAndClose(inputs);
        memory.set(1);
        inputs.remove().close();
        await(() -> LiveResource.MAPPED_BYTES.amount() <= watched.length(), "inputs stay mapped");
        await(() -> hybrid.toString().contains("STARVED"), "the memory is no longer watched");
      }
      System.exit(said("survived"));
    }

    /** Closes all but one while the heap is full, for longer than the memory watch sleeps. */
    private static void fillHeapAndClose(Deque<IndexInput> inputs) {
      List<byte[]> filled = new ArrayList<>();
      long kept = 0;
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
      for (int bytes = 1 << 20; System.nanoTime() < until; bytes = Math.max(16, bytes / 2)) {
        try {
          while (System.nanoTime() < until) {
            filled.add(new byte[bytes]);
            kept += bytes;
          }
        } catch (OutOfMemoryError e) {
          closeOne(inputs);
        }
      }
      requireFull(kept, filled.size());
      filled.clear();
      while (inputs.size() > 1) {
        closeOne(inputs);
      }
    }

    private static void requireFull(long bytes, int pieces) {
      if (bytes < 30 << 20) {
        throw new AssertionError("the heap was not full: " + bytes + " bytes, " + pieces);
      }
    }

    private static void closeOne(Deque<IndexInput> inputs) {
      for (int i = 0; i < 50 && inputs.size() > 1; i++) {
        try {
          inputs.remove().close();
        } catch (IOException | OutOfMemoryError e) {
          // The input is lost, not its mapping.
        }
      }
    }

    private interface Condition {
      boolean holds() throws Exception;
    }

    private static void await(Condition condition, String otherwise) throws Exception {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS / 2);
      while (!condition.holds()) {
        if (System.nanoTime() > deadline) {
          System.exit(said(otherwise + ": mapped=" + LiveResource.MAPPED_BYTES.amount()));
        }
        System.gc();
        Thread.sleep(20);
      }
    }

    @org.apache.lucene.util.SuppressForbidden(reason = "the parent process reads it")
    private static int said(String what) {
      System.out.println(what);
      return 0;
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
}
