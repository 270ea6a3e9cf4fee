// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import com.sun.management.UnixOperatingSystemMXBean;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.metrics.DirectoryMetrics;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.SuppressForbidden;

/** What a container may take from a process: its directories do with less, and lose nothing. */
@LuceneTestCase.SuppressFileSystems("*") // another process uses the files
public class ContainerEdgesTest extends LibraryTestCase {

  private static final long PATIENCE_SECONDS = 300;
  private static final String DIRECTLY = "exec \"$@\"";
  private static final String LEFT_OUT = "LEFT OUT: ";
  private static final String SLOWER = "files will be read with pread from now on";
  private static final String REFUSED = "was refused, perhaps by a seccomp filter";

  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  private Path folder = Path.of("");

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumeTrue("takes long", Sample.ALL || TestMode.current() == TestMode.SCALAR);
    folder = createTempDir().toRealPath();
  }

  /** No thread can be started, not even the first one of the library. */
  public void testThreads() throws Exception {
    // The limit does not concern root.
    String user =
        "exec setpriv --reuid=65534 --inh-caps=+dac_override --ambient-caps=+dac_override";
    run(ROOT ? user + " \"$@\"" : DIRECTLY, "threads", "");
  }

  public void testDescriptors() throws Exception {
    run(DIRECTLY, "descriptors", "");
  }

  /** All is read by positions from then on, which is said once. */
  public void testMappings() throws Exception {
    String output = run(DIRECTLY, "mappings", "");
    assertEquals(output, 2, output.split(SLOWER, -1).length);
  }

  public void testMemory() throws Exception {
    String name = "lucene-directories-" + ProcessHandle.current().pid();
    Path tree = Path.of("/sys/fs/cgroup");
    for (Path group : List.of(tree.resolve("memory").resolve(name), tree.resolve(name))) {
      try {
        Files.createDirectory(group);
      } catch (IOException _) {
        continue; // No such tree, or not ours.
      }
      try {
        for (String file : List.of("memory.limit_in_bytes", "memory.max")) {
          if (Files.isWritable(group.resolve(file))) {
            String enter = "echo $$ > " + group.resolve("cgroup.procs") + " && ";
            run(enter + DIRECTLY, "memory", group.resolve(file).toString(), "-Xmx128m");
            return;
          }
        }
      } finally {
        Files.delete(group);
      }
    }
    leaveOut("no control group with a memory limit can be made");
  }

  public void testProcHidden() throws Exception {
    run("exec unshare " + (ROOT ? "-m" : "-rm") + " \"$@\"", "proc", "");
  }

  /** Calls that are hints or questions are refused, as by a seccomp filter, which is said once. */
  public void testRefusedCalls() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    String calls = "madvise,mincore,fadvise64,?cachestat,io_uring_setup";
    String strace = "exec strace -f --seccomp-bpf -qq -o /dev/null -e trace=" + calls;
    String output = run(strace + " -e inject=" + calls + ":error=EPERM \"$@\"", "refused", "");
    assertEquals(output, 2, output.split(REFUSED, -1).length);
  }

  /** The JVM allows little direct memory, and the application has a use for it. */
  public void testDirectMemory() throws Exception {
    run(DIRECTLY, "direct", "1", "-XX:MaxDirectMemorySize=10M");
  }

  /** It is enough for reading on 64 threads, writing and merging. */
  public void testLeastDirectMemory() throws Exception {
    run(DIRECTLY, "direct", "0", "-XX:MaxDirectMemorySize=1M");
  }

  /** By default, direct memory may be as large as the heap. */
  public void testSmallHeap() throws Exception {
    run(DIRECTLY, "direct", "1", "-Xmx16m");
  }

  private static void leaveOut(String why) {
    Logger.getLogger(ContainerEdgesTest.class.getName()).warning(LEFT_OUT + why);
    assumeTrue(why, false);
  }

  /** Runs {@link Program} by a line of the shell, with the command as its arguments. */
  private String run(String shell, String edge, String limit, String... jvm) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C", "sh", "-c", shell, "sh"));
    List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    options.addAll(List.of(jvm));
    command.addAll(JavaCommand.of(options, Program.class, edge, folder.toString(), limit));
    Path log = folder.resolve("output");
    int status;
    try {
      status = JavaCommand.run(command, log, PATIENCE_SECONDS);
    } catch (IOException e) {
      leaveOut("no such shell: " + e);
      throw e;
    }
    String output = Files.readString(log);
    List<String> lines = output.lines().toList();
    lines.stream().filter(line -> line.startsWith(LEFT_OUT)).forEach(ContainerEdgesTest::leaveOut);
    if (!lines.contains("BEGUN")) {
      leaveOut("the program does not start by " + shell + ": " + output);
    }
    assertTrue(output, status == 0 && lines.contains("OK"));
    return output;
  }

  /**
   * Arguments: the edge, a folder, and for "memory" the file that has the limit, for "direct" how
   * many MiB the application needs.
   */
  @SuppressForbidden(reason = "the parent process reads what it prints")
  public static final class Program {

    private static final int ROUND = 40;
    private static final int THREADS = Integer.getInteger("threads", 64);

    /** Some files are too long for the room that is left in the first pool file. */
    private static final long POOL_BYTES = 1 << 20;

    private static final List<String> OURS = List.of("mapped", "nio", "hybrid");

    /** Levels of memory that the library logs by itself. */
    private static final BlockingQueue<String> LEVELS = new LinkedBlockingQueue<>();

    private static final Logger PRESSURE =
        Logger.getLogger(HybridDirectory.class.getPackageName() + ".MemoryPressure");

    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws Exception {
      System.out.println("BEGUN");
      Path folder = Path.of(args[1]);
      switch (args[0]) {
        case "threads" -> threads(folder);
        case "descriptors" -> descriptors(folder);
        case "mappings" -> mappings(folder);
        case "memory" -> memory(folder, Path.of(args[2]));
        case "direct" -> direct(folder, Integer.parseInt(args[2]));
        case "proc" -> {
          command("mount", "-t", "tmpfs", "none", "/proc");
          assertTrue("/proc is there still", !Files.exists(Path.of("/proc/self")));
          all(folder);
          withoutProc(folder);
          work("pmem", folder.resolve("pmem"));
        }
        default -> {
          // Not Lucene's, whose prefetch fails where it may not ask what is loaded.
          for (String kind : OURS) {
            work(kind, folder.resolve(kind));
          }
        }
      }
      System.out.println("OK");
    }

    /** What asks for facts of the process or the machine does without them. */
    private static void withoutProc(Path folder) throws IOException, InterruptedException {
      Path path = folder.resolve("nio");
      try (BlockCache cache = BlockCache.builder().build();
          RamDirectory loaded = RamDirectory.load(new NioDirectory(path));
          Directory nio = new NioDirectory(path);
          WarmStart warm = WarmStart.builder(nio).start()) {
        assertTrue("not loaded: " + warm, warm.awaitLoaded(Duration.ofMinutes(1)));
        assertTrue("" + cache, cache.maxBytes() > 0);
        NumberedDocuments.check(loaded, 3 * ROUND);
        Map<String, Double> metrics = DirectoryMetrics.ofProcess().metrics();
        assertTrue("" + metrics, !metrics.containsKey("device.read.bytes"));
        assertTrue("no residency", WarmStart.residency(nio).isPresent());
      }
    }

    private static void command(String... words) throws Exception {
      // It begins when the JDK has started the thread that waits for it.
      List<String> command = new ArrayList<>(List.of("sh", "-c", "read _; exec \"$@\"", "sh"));
      command.addAll(List.of(words));
      Process process =
          new ProcessBuilder(command).inheritIO().redirectInput(Redirect.PIPE).start();
      process.outputWriter().append('\n').close();
      if (process.waitFor() == 0) {
        return;
      }
      leaveOut(String.join(" ", words) + " does not work here");
    }

    private static void leaveOut(String why) {
      System.out.println(LEFT_OUT + why);
      System.exit(0);
    }

    private static void limit(String resource, long most) throws Exception {
      String pid = "" + ProcessHandle.current().pid();
      command("prlimit", "--pid", pid, "--" + resource + "=" + most + ":" + most);
    }

    private static Directory open(String kind, Path folder) throws IOException {
      return switch (kind) {
        case "lucene" -> new MMapDirectory(folder);
        case "mapped" -> new MappedDirectory(folder);
        case "nio" -> new NioDirectory(folder);
        case "channels" -> new NIOFSDirectory(folder);
        case "ram" ->
            RamDirectory.builder().maxBytes(1L << 28).backing(new MMapDirectory(folder)).build();
        case "nrt" -> new NrtCacheDirectory(new MMapDirectory(folder), 5, 60);
        case "positional" ->
            HybridDirectory.builder(folder).read("fdt", AccessMode.POSITIONAL).build();
        case "pmem" ->
            PmemDirectory.builder(folder)
                .engine(PmemEngine.JDK)
                .mode(PmemMode.FILE)
                .initialBytes(POOL_BYTES)
                .poolFileBytes(POOL_BYTES)
                .build();
        default -> new HybridDirectory(folder);
      };
    }

    private static void all(Path folder) throws IOException {
      work("lucene", folder.resolve("lucene"));
      for (String kind : OURS) {
        work(kind, folder.resolve(kind));
      }
    }

    private static IndexWriterConfig config() {
      return new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler());
    }

    private static void add(IndexWriter writer, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        writer.addDocument(NumberedDocuments.of(i, 5 * i));
      }
    }

    private static void work(String kind, Path folder) throws IOException {
      try (Directory directory = open(kind, folder);
          IndexWriter writer = new IndexWriter(directory, config())) {
        DirectoryReader reader = DirectoryReader.open(writer);
        try {
          for (int round = 0; round <= 3; round++) {
            if (round < 3) {
              add(writer, round * ROUND, (round + 1) * ROUND);
            } else {
              writer.forceMerge(1);
            }
            DirectoryReader changed = DirectoryReader.openIfChanged(reader);
            assertTrue("nothing changed", changed != null);
            reader.close();
            reader = changed;
            NumberedDocuments.check(reader, Math.min(round + 1, 3) * ROUND);
            writer.commit();
          }
        } finally {
          reader.close();
        }
      }
      try (Directory directory = open(kind, folder);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        NumberedDocuments.check(reader, 3 * ROUND);
      }
    }

    private static void threads(Path folder) throws Exception {
      // What the JDK and Lucene start for themselves.
      work("lucene", folder.resolve("before"));
      limit("nproc", 1);
      try {
        new Thread(() -> {}).start();
        leaveOut("the limit on threads has no effect");
      } catch (OutOfMemoryError _) {
        all(folder);
      }
    }

    private static void descriptors(Path folder) throws Exception {
      var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      Path path = folder.resolve("files");
      all(folder);
      IndexWriterConfig config = config().setUseCompoundFile(false);
      try (Directory hybrid = open("hybrid", path);
          IndexWriter writer = new IndexWriter(hybrid, config)) {
        add(writer, 0, 1);
      }
      limit("nofile", system.getOpenFileDescriptorCount() + 100);
      for (String kind : OURS) {
        try (Directory directory = open(kind, path)) {
          requireClearRefusal(directory, path);
          directory.openInput("_0.fdt", IOContext.DEFAULT).close();
        }
      }
    }

    private static void requireClearRefusal(Directory directory, Path path) throws IOException {
      List<Closeable> taken = new ArrayList<>();
      try {
        while (true) {
          taken.add(new FileInputStream(path.resolve("_0.fdt").toFile()));
        }
      } catch (IOException _) {
        // None is left.
      }
      // Nothing here loads a class, which takes a descriptor.
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        throw new AssertionError("opened: " + in);
      } catch (IOException e) {
        String message = e.toString();
        assertTrue(message, message.contains(path.resolve("_0.fdt").toString()));
        assertTrue(message, message.contains("Too many open files"));
      } finally {
        IOUtils.close(taken);
      }
    }

    /** Reads documents at random on many threads, merges, and prints how fast it reads. */
    private static void direct(Path folder, int ownMiB) throws Exception {
      List<String> kinds =
          List.of("channels", "nio", "positional", "mapped", "hybrid", "ram", "nrt");
      BufferPoolMXBean direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .findFirst()
              .orElseThrow();
      for (String kind : kinds) {
        Path path = folder.resolve(kind);
        IndexWriterConfig config = config().setUseCompoundFile(false);
        try (Directory directory = open(kind, path);
            IndexWriter writer = new IndexWriter(directory, config)) {
          for (int i = 0; i < 4_000; i++) {
            writer.addDocument(NumberedDocuments.of(i, 1 << 11));
          }
          try (DirectoryReader reader = DirectoryReader.open(writer)) {
            long before = direct.getMemoryUsed();
            System.out.printf("%s: %.0f documents/s%n", kind, documentsPerSecond(reader));
            long taken = direct.getMemoryUsed() - before;
            assertTrue(kind + " takes direct memory: bytes=" + taken, taken < 1 << 19);
          }
          writer.forceMerge(1);
        }
        work(kind, path.resolve("work"));
        System.out.println(kind + ": " + ByteBuffer.allocateDirect(ownMiB << 20));
      }
    }

    private static double documentsPerSecond(DirectoryReader reader) throws Exception {
      LongAdder read = new LongAdder();
      long begun = System.nanoTime();
      Callable<Void> work =
          () -> {
            StoredFields stored = reader.storedFields();
            while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(1)) {
              stored.document(ThreadLocalRandom.current().nextInt(reader.maxDoc()));
              read.increment();
            }
            return null;
          };
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        for (Future<Void> each : threads.invokeAll(Collections.nCopies(THREADS, work))) {
          each.get();
        }
      }
      return read.sum() * 1e9 / (System.nanoTime() - begun);
    }

    private static void mappings(Path folder) throws Exception {
      long allowed;
      Path setting = Path.of("/proc/sys/vm/max_map_count");
      // In one read: the kernel has nothing to say to the second.
      try (Scanner digits = new Scanner(setting, StandardCharsets.US_ASCII)) {
        allowed = digits.nextLong();
      }
      if (allowed > 300_000) {
        leaveOut("too many mappings are allowed to make them: " + allowed);
      }
      Path file = Files.write(folder.resolve("page"), new byte[1]);
      try (FileChannel channel = FileChannel.open(file)) {
        for (long i = 0; i < allowed / 5 * 4; i++) {
          channel.map(FileChannel.MapMode.READ_ONLY, 0, 1, Arena.global());
        }
      }
      all(folder);
      assertTrue("mapped=" + PathCounter.CHANNEL_MAP.count(), PathCounter.CHANNEL_MAP.count() == 0);
    }

    private static void listen() {
      PRESSURE.setLevel(Level.FINE);
      PRESSURE.setFilter(each -> !LEVELS.add(each.getMessage()));
    }

    private static void await(String level) throws InterruptedException {
      String found = LEVELS.poll(60, TimeUnit.SECONDS);
      assertTrue(level + " expected: " + found, ("" + found).startsWith("memory=" + level));
    }

    /** A reader and a file that alone is larger than the limit. */
    private static void memory(Path folder, Path limit) throws Exception {
      String before = Files.readString(limit);
      work("hybrid", folder);
      try (RandomAccessFile file = new RandomAccessFile(folder.resolve("_x.fdt").toFile(), "rw")) {
        file.setLength(1L << 30);
      }
      try (Directory hybrid = new HybridDirectory(folder);
          DirectoryReader reader = DirectoryReader.open(hybrid);
          IndexInput large = hybrid.openInput("_x.fdt", IOContext.DEFAULT)) {
        if (!hybrid.toString().contains("memory=PLENTY")) {
          leaveOut("this machine has too little memory: " + hybrid);
        }
        listen();
        Files.writeString(limit, "" + (640L << 20));
        await("FILLING");
        NumberedDocuments.check(reader, 3 * ROUND);
        for (long pos = 0; pos < large.length(); pos += 1 << 12) {
          large.seek(pos);
          assertTrue("not the byte of the file", large.readByte() == 0);
        }
        await("COLD_SCARCE");
        assertTrue(hybrid.toString(), hybrid.toString().contains("memory=COLD_SCARCE"));
        NumberedDocuments.check(reader, 3 * ROUND);
        Files.writeString(limit, before.startsWith("max") ? "max" : "-1");
        await("PLENTY");
        assertTrue(hybrid.toString(), hybrid.toString().contains("memory=PLENTY"));
        NumberedDocuments.check(reader, 3 * ROUND);
      }
    }
  }
}
