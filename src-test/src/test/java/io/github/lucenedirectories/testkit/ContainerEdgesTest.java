package io.github.lucenedirectories.testkit;

import com.sun.management.UnixOperatingSystemMXBean;
import io.github.lucenedirectories.internal.os.FileDescriptorLimits;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.SuppressForbidden;

/** What a container may take from a process: its directories do with less, and lose nothing. */
@LuceneTestCase.SuppressFileSystems("*") // another process uses the files
public class ContainerEdgesTest extends LibraryTestCase {

  private static final long PATIENCE_SECONDS = 300;
  private static final String LEFT_OUT = "LEFT OUT: ";
  private static final String SLOWER = "files are read by positions from now on";
  private static final String REFUSED = "is refused, by a seccomp filter maybe";

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
    run(ROOT ? user + " \"$@\"" : "exec \"$@\"", "threads");
  }

  public void testDescriptors() throws Exception {
    run("exec \"$@\"", "descriptors");
  }

  /** All is read by positions from then on, which is said once. */
  public void testMappings() throws Exception {
    String output = run("exec \"$@\"", "mappings");
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
            String enter = "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"";
            run(enter, "memory", group.resolve(file).toString());
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
    run("exec unshare " + (ROOT ? "-m" : "-rm") + " \"$@\"", "proc");
  }

  /** Refused advice is said once. */
  public void testSeccomp() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    String output = run("exec \"$@\"", "seccomp");
    assertEquals(output, 2, output.split(REFUSED, -1).length);
  }

  private static void leaveOut(String why) {
    Logger.getLogger(ContainerEdgesTest.class.getName()).warning(LEFT_OUT + why);
    assumeTrue(why, false);
  }

  /** Runs {@link Program} by a line of the shell, with the command as its arguments. */
  private String run(String shell, String edge, String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C", "sh", "-c", shell, "sh"));
    List<String> arguments = new ArrayList<>(List.of(edge, folder.toString()));
    arguments.addAll(List.of(more));
    command.addAll(
        JavaCommand.of(
            List.of("-XX:TieredStopAtLevel=1"), Program.class, arguments.toArray(String[]::new)));
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

  /** Arguments: the edge, a folder, and for "memory" the file that has the limit. */
  @SuppressForbidden(reason = "the parent process reads what it prints")
  public static final class Program {

    private static final int ROUND = 40;
    private static final List<String> KINDS = List.of("lucene", "mapped", "nio", "hybrid");

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
        case "proc" -> {
          command("mount", "-t", "tmpfs", "none", "/proc");
          require(!Files.exists(Path.of("/proc/self")), "/proc is there still");
          all(folder);
        }
        default -> {
          refuseCalls();
          // Lucene's prefetch fails where it may not ask what is loaded.
          for (String kind : KINDS.subList(1, KINDS.size())) {
            work(kind, folder.resolve(kind));
          }
        }
      }
      System.out.println("OK");
    }

    private static void require(boolean condition, String what) {
      if (!condition) {
        throw new AssertionError(what);
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
        default -> new HybridDirectory(folder);
      };
    }

    private static void all(Path folder) throws IOException {
      for (String kind : KINDS) {
        work(kind, folder.resolve(kind));
      }
    }

    private static IndexWriterConfig config() {
      return new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler());
    }

    private static void add(IndexWriter writer, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        Document document = new Document();
        document.add(new StringField("id", "" + i, Field.Store.YES));
        String text = (i % 2 == 0 ? "even" : "odd") + " text".repeat(i);
        document.add(new TextField("text", text, Field.Store.YES));
        document.add(new NumericDocValuesField("number", i));
        writer.addDocument(document);
      }
    }

    /** Everything is found, once, as it was added. */
    private static void check(DirectoryReader reader, int count) throws IOException {
      IndexSearcher searcher = new IndexSearcher(reader);
      require(reader.numDocs() == count, "docs=" + reader.numDocs() + ", not " + count);
      require(searcher.count(new TermQuery(new Term("text", "even"))) == count / 2, "even");
      for (int i = 0; i < count; i++) {
        TopDocs found = searcher.search(new TermQuery(new Term("id", "" + i)), 2);
        require(found.scoreDocs.length == 1, "id=" + i);
        String text = searcher.storedFields().document(found.scoreDocs[0].doc).get("text");
        require(text.endsWith(" text".repeat(i)) && text.length() <= 4 + 5 * i, "text of " + i);
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
            require(changed != null, "nothing changed");
            reader.close();
            reader = changed;
            check(reader, Math.min(round + 1, 3) * ROUND);
            writer.commit();
          }
        } finally {
          reader.close();
        }
      }
      try (Directory directory = open(kind, folder);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        check(reader, 3 * ROUND);
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

    /** Each segment has a dozen files, and all of them are mapped when memory becomes scarce. */
    private static void descriptors(Path folder) throws Exception {
      var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      int segments = 40;
      AtomicLong memory = new AtomicLong(1L << 40);
      Path path = folder.resolve("hybrid");
      IndexWriterConfig config = config().setMergePolicy(NoMergePolicy.INSTANCE);
      try (Directory hybrid = HybridDirectory.builder(path).memoryBytes(memory::get).build();
          IndexWriter writer = new IndexWriter(hybrid, config.setUseCompoundFile(false))) {
        for (int i = 0; i < segments; i++) {
          add(writer, i, i + 1);
          writer.flush();
        }
        writer.commit();
        try (DirectoryReader reader = DirectoryReader.open(hybrid)) {
          listen();
          memory.set(0);
          await("STARVED");
          long limit = system.getOpenFileDescriptorCount() + 100;
          limit("nofile", limit);
          check(reader, segments);
          long held = LiveResource.DESCRIPTORS.amount();
          require(held > 0 && held <= limit / 4 + 10, "held=" + held + ", limit=" + limit);
          require(FileDescriptorLimits.areFew(), "descriptors are not few");
          try (DirectoryReader another = DirectoryReader.open(hybrid)) {
            check(another, segments);
          }
          add(writer, segments, segments + 2);
          writer.commit();
          try (DirectoryReader changed = DirectoryReader.openIfChanged(reader)) {
            check(changed, segments + 2);
          }
        }
      }
      for (String kind : KINDS.subList(1, KINDS.size())) {
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
      try (IndexInput in = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
        throw new AssertionError("opened: " + in);
      } catch (IOException e) {
        String message = e.toString();
        require(message.contains(path.resolve("_0.fdt").toString()), message);
        require(message.contains("Too many open files"), message);
      } finally {
        for (Closeable each : taken) {
          each.close();
        }
      }
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
      require(PathCounter.CHANNEL_MAP.count() == 0, "mapped=" + PathCounter.CHANNEL_MAP.count());
    }

    private static void listen() {
      PRESSURE.setLevel(Level.FINE);
      PRESSURE.setFilter(each -> !LEVELS.add(each.getMessage()));
    }

    private static void await(String level) throws InterruptedException {
      String found = LEVELS.poll(60, TimeUnit.SECONDS);
      require(("" + found).startsWith("memory=" + level), level + " expected: " + found);
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
        await("SCARCE");
        require(hybrid.toString().contains("memory=SCARCE"), hybrid.toString());
        check(reader, 3 * ROUND);
        require(large.readByte() == 0, "not the byte of the file");
        Files.writeString(limit, before.startsWith("max") ? "max" : "-1");
        await("PLENTY");
        require(hybrid.toString().contains("memory=PLENTY"), hybrid.toString());
        check(reader, 3 * ROUND);
      }
    }

    /** A seccomp filter for all threads: EPERM for calls that are hints or questions. */
    @SuppressWarnings("restricted") // calling native code is how a filter is installed
    private static void refuseCalls() throws Exception {
      boolean arm = System.getProperty("os.arch").equals("aarch64");
      // madvise, mincore, fadvise64, cachestat, io_uring_setup; then seccomp itself.
      int[] refused = arm ? new int[] {233, 232, 223, 451, 425} : new int[] {28, 27, 221, 451, 425};
      long seccomp = arm ? 277 : 317;
      // BPF: load the call's number, and for each of these jump to the end, which refuses it.
      List<Long> filter = new ArrayList<>(List.of(instruction(0x20, 0, 0)));
      for (int i = 0; i < refused.length; i++) {
        filter.add(instruction(0x15, refused.length - i, refused[i]));
      }
      filter.add(instruction(0x06, 0, 0x7fff0000));
      filter.add(instruction(0x06, 0, 0x00050001));
      Linker linker = Linker.nativeLinker();
      ValueLayout.OfLong number = ValueLayout.JAVA_LONG;
      try (Arena arena = Arena.ofConfined()) {
        var call =
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(number, number, number, number, number, number, number),
                Linker.Option.firstVariadicArg(1));
        long[] code = filter.stream().mapToLong(Long::longValue).toArray();
        MemorySegment program = arena.allocate(16, 8);
        program.set(ValueLayout.JAVA_SHORT, 0, (short) code.length);
        program.set(ValueLayout.ADDRESS, 8, arena.allocateFrom(number, code));
        // PR_SET_NO_NEW_PRIVS; then SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_TSYNC.
        long failed = (long) call.invokeExact(arm ? 167L : 157L, 38L, 1L, 0L, 0L, 0L);
        if (failed == 0) {
          failed = (long) call.invokeExact(seccomp, 1L, 1L, program.address(), 0L, 0L);
        }
        if (failed != 0) {
          leaveOut("seccomp takes no filter here");
        }
      } catch (Throwable t) {
        throw new IOException(t);
      }
    }

    private static long instruction(int code, int jumpIfEqual, int operand) {
      return code | (long) jumpIfEqual << 16 | (long) operand << 32;
    }
  }
}
