// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.lucene.util.IOUtils;

/**
 * A temporary folder, its counterpart in memory, and the processes that work in them. Closing it,
 * or ending this JVM by Ctrl-C or a signal, kills the processes, then closes what they ran in, and
 * then removes the folders. Any thread may use it.
 *
 * <p>The counterpart is on persistent memory if the user names some, else on the system's tmpfs, or
 * in its temporary folder where it has none.
 */
public final class Workspace implements AutoCloseable {
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final String PREFIX = "lucene-directories-";

  /* By which a fork learns of its run's folder in memory. */
  private static final String PROPERTY = "lucene-directories.memory";

  private final Path folder;
  private final Path memory;
  private final Set<Process> processes = ConcurrentHashMap.newKeySet();
  private final Set<Path> places = ConcurrentHashMap.newKeySet();
  private final Set<Closeable> resources = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::interrupted, "workspace-cleaner");
  private final CountDownLatch interrupted = new CountDownLatch(1);

  private Workspace(Path folder, Path memory) {
    this.folder = folder;
    this.memory = memory;
    places.add(folder);
    places.add(memory);
  }

  public static Workspace create() throws IOException {
    return create(memoryRoot());
  }

  /** As {@link #create()}, with the folder that the counterpart in memory is in. */
  public static Workspace create(Path memory) throws IOException {
    Path folder = Files.createTempDirectory(PREFIX);
    Workspace workspace =
        new Workspace(folder, memory.toAbsolutePath().resolve(folder.getFileName()));
    Runtime.getRuntime().addShutdownHook(workspace.hook);
    return workspace;
  }

  private static Path memoryRoot() {
    return Files.isDirectory(TMPFS) && Files.isWritable(TMPFS)
        ? TMPFS
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  public String name() {
    return String.valueOf(folder.getFileName());
  }

  public Path file(String name) {
    return folder.resolve(name);
  }

  String folders() {
    return places.stream()
        .filter(Files::exists)
        .map(Path::toString)
        .collect(Collectors.joining(", "));
  }

  /** The counterpart in memory, which may not exist. */
  Path memory() {
    return memory;
  }

  String memoryFlag() {
    return "-D" + PROPERTY + "=" + memory;
  }

  /** A new folder in memory: in a fork in that of its run, which removes it in the end. */
  static Path newMemoryFolder() throws IOException {
    Path parent = Path.of(System.getProperty(PROPERTY, memoryRoot().toString()));
    return Files.createTempDirectory(Files.createDirectories(parent), PREFIX);
  }

  /** Adds a path elsewhere, to a file or a folder that may not exist, to what goes in the end. */
  public void alsoRemove(Path elsewhere) {
    places.add(elsewhere);
  }

  /**
   * Adds what is closed in the end, when no process of this run is left; it may be closed twice.
   */
  public void alsoClose(Closeable resource) throws IOException {
    resources.add(resource);
    if (isInterrupted()) {
      resource.close();
    }
  }

  /** Adds a process that is killed in the end, unless it is removed before. */
  public void add(Process process) {
    processes.add(process);
    if (isInterrupted()) {
      process.destroyForcibly();
    }
  }

  public void remove(Process process) {
    processes.remove(process);
  }

  /** Waits up to a time for this JVM's end to begin; a fork may learn of Ctrl-C before it does. */
  boolean awaitInterrupt(long millis) {
    try {
      return interrupted.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private boolean isInterrupted() {
    return interrupted.getCount() == 0;
  }

  private void interrupted() {
    interrupted.countDown();
    try {
      clear();
    } catch (IOException e) {
      // The JVM is going down: nothing is left to report to.
    }
  }

  private void clear() throws IOException {
    processes.forEach(Process::destroyForcibly);
    for (Process process : processes) {
      process.onExit().join();
    }
    // Each one, though another cannot be closed.
    IOUtils.close(() -> IOUtils.close(resources), () -> IOUtils.rm(places.toArray(Path[]::new)));
  }

  @Override
  public void close() throws IOException {
    clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down, and the hook finds nothing left to remove.
    }
  }
}
