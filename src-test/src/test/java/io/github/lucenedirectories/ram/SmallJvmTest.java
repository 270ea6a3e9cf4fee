// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.NumberedDocuments;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.SuppressForbidden;

/**
 * A JVM as small containers run it, with many threads: memory of files is neither heap nor direct
 * memory, and there is as much of it as the directory's limit allows.
 */
@LuceneTestCase.SuppressFileSystems("*") // another process uses the files
public class SmallJvmTest extends LibraryTestCase {

  private static final long PATIENCE_SECONDS = 300;

  public void testSmallDirectMemory() throws Exception {
    run("-XX:MaxDirectMemorySize=10M");
  }

  public void testSmallHeap() throws Exception {
    run("-Xmx16m");
  }

  private static void run(String option) throws Exception {
    Path folder = createTempDir();
    Path log = folder.resolve("output");
    List<String> command = JavaCommand.of(List.of(option), Program.class, folder.toString());
    int status = JavaCommand.run(command, log, PATIENCE_SECONDS);
    assertEquals(Files.readString(log), 0, status);
  }

  /** Argument: a folder. */
  @SuppressForbidden(reason = "the parent process reads what it prints")
  public static final class Program {

    private static final int THREADS = 64;
    private static final int FILE_BYTES = 400_000;
    private static final int ROUNDS = 10;
    private static final int DOCUMENTS = 300;

    /** The JDK copies each write of a file through a direct buffer of the thread. */
    private static final long MOST_DIRECT_BYTES = THREADS * (1L << 15);

    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[0]);
      use(RamDirectory.builder().maxBytes(1L << 28).build());
      try (Directory below = new MMapDirectory(folder.resolve("backing"))) {
        use(RamDirectory.builder().maxBytes(1L << 28).backing(below).build());
      }
      use(new NrtCacheDirectory(new MMapDirectory(folder.resolve("nrt")), 5, 60));
      // The application has its share still.
      System.out.println(ByteBuffer.allocateDirect(1 << 20));
    }

    private static void use(Directory opened) throws Exception {
      try (Directory directory = opened;
          ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<? extends Future<?>> running =
            IntStream.range(0, THREADS)
                .mapToObj(thread -> threads.submit(() -> writeAndRead(directory, thread)))
                .toList();
        for (Future<?> thread : running) {
          thread.get();
        }
        index(directory);
        long direct =
            ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        System.out.println("directBytes=" + direct + ": " + directory);
        if (direct > MOST_DIRECT_BYTES) {
          throw new AssertionError("too much direct memory is used: " + direct);
        }
      }
    }

    /** One file is complete in memory while the next is written. */
    private static Void writeAndRead(Directory directory, int thread) throws IOException {
      byte[] bytes = new byte[1 << 14];
      for (int round = 0; round < ROUNDS; round++) {
        String name = "_" + thread + "_" + round + ".dat";
        Arrays.fill(bytes, (byte) (thread + round));
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
          for (int done = 0; done < FILE_BYTES; done += bytes.length) {
            output.writeBytes(bytes, bytes.length);
          }
        }
        if (round % 4 == 3) {
          directory.sync(List.of(name));
        }
        for (IOContext context : List.of(IOContext.READONCE, IOContext.DEFAULT)) {
          try (IndexInput input = directory.openInput(name, context)) {
            input.seek(FILE_BYTES / 2);
            if (input.readByte() != (byte) (thread + round)) {
              throw new AssertionError(input.toString());
            }
          }
        }
        if (round > 0) {
          directory.deleteFile("_" + thread + "_" + (round - 1) + ".dat");
        }
      }
      return null;
    }

    private static void index(Directory directory) throws IOException {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setRAMBufferSizeMB(1)
              .setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          writer.addDocument(NumberedDocuments.of(i, 2_000));
          if (i % 50 == 0) {
            DirectoryReader.open(writer).close();
          }
        }
        writer.forceMerge(1);
      }
      NumberedDocuments.check(directory, DOCUMENTS);
    }
  }
}
