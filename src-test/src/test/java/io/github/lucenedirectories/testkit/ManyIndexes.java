package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.SuppressForbidden;

/**
 * What directories cost a process that has thousands of indexes open: opening and closing a
 * directory and a small file, the memory of an idle directory, and the processor's time while
 * nothing happens. Arguments: an empty folder, and how many indexes (5,000).
 */
public final class ManyIndexes {

  private static final int OPENS = 3_000;
  private static final int IDLE_SECONDS = 20;

  private ManyIndexes() {}

  /** How to open a directory in a folder. */
  private interface Opener {
    Directory open(Path folder) throws IOException;
  }

  /** What is measured. */
  private interface Work {
    void run() throws IOException;
  }

  /** Runs it. */
  @SuppressForbidden(reason = "a command line prints")
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Files.write(folder.resolve("_0.doc"), new byte[4_000]);
    Map<String, Opener> openers = new LinkedHashMap<>();
    openers.put("MMapDirectory", MMapDirectory::new);
    openers.put("NIOFSDirectory", NIOFSDirectory::new);
    openers.put("MappedDirectory", MappedDirectory::new);
    openers.put("NioDirectory", NioDirectory::new);
    openers.put("HybridDirectory", HybridDirectory::new);
    for (int round = 1; round <= 4; round++) {
      for (Map.Entry<String, Opener> entry : openers.entrySet()) {
        double directory = median(() -> entry.getValue().open(folder).close());
        double file;
        try (Directory opened = entry.getValue().open(folder)) {
          file = median(() -> opened.openInput("_0.doc", IOContext.DEFAULT).close());
        }
        System.out.printf(
            Locale.ROOT,
            "round %d %s: directory %.1f us, file of 4,000 bytes %.1f us%n",
            round,
            entry.getKey(),
            directory,
            file);
      }
    }
    idle(folder, args.length > 1 ? Integer.parseInt(args[1]) : 5_000);
  }

  private static double median(Work work) throws IOException {
    long[] nanos = new long[OPENS];
    for (int i = 0; i < OPENS; i++) {
      long begin = System.nanoTime();
      work.run();
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    return nanos[OPENS / 2] / 1e3;
  }

  @SuppressForbidden(reason = "a command line prints")
  private static void idle(Path folder, int indexes) throws Exception {
    List<Directory> directories = new ArrayList<>();
    List<IndexInput> inputs = new ArrayList<>();
    long before = usedHeap();
    for (int i = 0; i < indexes; i++) {
      directories.add(new HybridDirectory(folder));
    }
    long perDirectory = (usedHeap() - before) / indexes;
    before = usedHeap();
    for (int i = 0; i < indexes; i++) {
      Path file = folder.resolve("_" + i + ".tim");
      Files.write(file, new byte[4_000]);
      inputs.add(directories.get(i).openInput("_" + i + ".tim", IOContext.DEFAULT));
    }
    long perFile = (usedHeap() - before) / indexes;
    long maps = Files.readAllLines(Path.of("/proc/self/maps")).size();
    long cpu = cpuNanos();
    Thread.sleep(IDLE_SECONDS * 1_000L);
    System.out.printf(
        Locale.ROOT,
        "%d open indexes: %d bytes of heap for a directory, %d for an open file, %.2f %% of a"
            + " processor, %d mappings of the process, mapped=%d%n",
        indexes,
        perDirectory,
        perFile,
        (cpuNanos() - cpu) / 1e7 / IDLE_SECONDS,
        maps,
        LiveResource.MAPPED_BYTES.amount());
    for (IndexInput input : inputs) {
      input.close();
    }
    for (Directory directory : directories) {
      directory.close();
    }
  }

  private static long usedHeap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
