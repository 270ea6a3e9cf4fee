package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.mmap.HybridDirectory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** What background threads live through, and what they keep of the threads that start them. */
public class BackgroundThreadsTest extends LibraryTestCase {

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
