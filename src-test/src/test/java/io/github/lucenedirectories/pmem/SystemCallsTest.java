package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.Llpl;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.testkit.durability.MarkedCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a thread that commits asks of the system, as {@code strace} sees it. */
public class SystemCallsTest extends LuceneTestCase {

  private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");
  private static final long PATIENCE_SECONDS = 300;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    // The processes that are traced have their own options.
    assumeTrue("once is enough", TestMode.current().nativeAccess());
    if (!tracingWorks()) {
      Logger.getLogger(SystemCallsTest.class.getName())
          .warning("LEFT OUT: the system calls of PmemDirectory are not tested: no strace here");
      assumeTrue("no strace here", false);
    }
  }

  public void testCommitAsksNoFileSystem() throws Exception {
    assumeTrue("LLPL does not load here", Llpl.loads());
    assertEquals(Set.of(), fileCallsOf("pmem"));
  }

  /** That the other test sees what there is to see. */
  public void testCommitOfFilesAsks() throws Exception {
    Set<String> calls = fileCallsOf("mmap");
    assertTrue(calls.toString(), calls.containsAll(List.of("openat", "fsync", "rename", "unlink")));
  }

  /** The names of the calls that have to do with files, from mark to mark. */
  private static Set<String> fileCallsOf(String kind) throws IOException, InterruptedException {
    Path folder = FilterPath.unwrap(createTempDir());
    Path trace = folder.resolve("trace");
    List<String> command = new ArrayList<>(strace(trace));
    command.addAll(
        JavaCommand.of(
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:-UsePerfData"),
            MarkedCommits.class,
            Files.createDirectory(folder.resolve("index")).toString(),
            kind));
    Path output = folder.resolve("output");
    assertEquals(Files.exists(output) ? Files.readString(output) : "", 0, run(command, output));
    return fileCalls(Files.readAllLines(trace));
  }

  private static Set<String> fileCalls(List<String> lines) {
    Set<String> names = new TreeSet<>();
    String thread = "";
    boolean ended = false;
    for (String line : lines) {
      Matcher call = CALL.matcher(line);
      if (!call.lookingAt()) {
        continue;
      }
      String rest = call.group(3);
      if (rest.contains('"' + MarkedCommits.BEGIN.toString() + '"')) {
        thread = call.group(1);
      } else if (rest.contains('"' + MarkedCommits.END.toString() + '"')) {
        ended = true;
        break;
      } else if (thread.equals(call.group(1)) && !rest.contains("MAP_ANONYMOUS")) {
        names.add(call.group(2));
      }
    }
    assertTrue("both marks are there", !thread.isEmpty() && ended);
    return names;
  }

  private static List<String> strace(Path trace) {
    return List.of(
        "strace", "-f", "--seccomp-bpf", "-qq", "-o", trace.toString(), "-e", "trace=%file,%desc");
  }

  private static boolean tracingWorks() throws InterruptedException {
    try {
      Path folder = FilterPath.unwrap(createTempDir());
      List<String> command = new ArrayList<>(strace(folder.resolve("trace")));
      command.add("true");
      return run(command, folder.resolve("output")) == 0;
    } catch (IOException _) {
      return false;
    }
  }

  private static int run(List<String> command, Path output)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("hangs: " + command);
      }
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
