// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Llpl;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.SystemCallTrace;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.CommittingProcess;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.testkit.durability.LibraryCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.tests.mockfile.FilterPath;

/** What a thread that commits asks of the system, as {@code strace} sees it. */
public class SystemCallsTest extends LibraryTestCase {

  private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");

  /** Classes, which the JVM may load at any time, and standard output. */
  private static final Pattern NOT_OURS =
      Pattern.compile(
          "\\d+<[^>]*(/lib/modules|\\.jar|\\.class)>.*|(AT_FDCWD[^,]*, )?\"[^\"]*\\.class\".*|1<.*");

  private static final Predicate<String> IN_PLACE =
      Pattern.compile("\\d+ +(stat|newfstatat|statx)\\(.*/pool-00000\\.pmem\".*")
          .asMatchPredicate();

  /** The commits before load all classes. */
  private static final int FIRST = 301;

  private static final int LAST = 400;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    // The processes that are traced have their own options.
    assumeTrue("once is enough", TestMode.current().nativeAccess());
    assumeTrue(
        "no strace here",
        SystemCallTrace.works(
            FilterPath.unwrap(createTempDir()), "the system calls of PmemDirectory"));
  }

  /** It asks whether its pool files are in place, and nothing else. */
  public void testCommitAsksLittle() throws Exception {
    assumeTrue("LLPL does not load here", Llpl.loads());
    Map<String, String> ofPools = fileCallsOf("pmem");
    assertTrue("the pools are asked for", ofPools.values().removeIf(IN_PLACE));
    assertEquals(Map.of(), ofPools);
    if (Sample.ALL) {
      // The trace shows what there is to see.
      Set<String> calls = fileCallsOf("mmap").keySet();
      assertTrue(
          calls.toString(), calls.containsAll(List.of("openat", "fsync", "rename", "unlink")));
    }
  }

  /** The file calls from mark to mark: the names, each with its last call. */
  private static Map<String, String> fileCallsOf(String kind)
      throws IOException, InterruptedException {
    Path folder = FilterPath.unwrap(createTempDir());
    String index = Files.createDirectory(folder.resolve("index")).toString();
    List<String> command =
        JavaCommand.of(
            List.of("-XX:-UsePerfData"),
            LibraryCommits.class,
            index,
            "0",
            Integer.toString(LAST),
            kind);
    Map<String, String> calls = new TreeMap<>();
    String thread = "";
    boolean ended = false;
    for (String line : SystemCallTrace.of(folder, command)) {
      Matcher call = CALL.matcher(line);
      if (!call.lookingAt()) {
        continue;
      }
      String rest = call.group(3);
      if (rest.contains('"' + CommittingProcess.COMMITTING + FIRST + "\\n\"")) {
        thread = call.group(1);
      } else if (rest.contains('"' + CommittingProcess.COMMITTED + LAST + "\\n\"")) {
        ended = true;
        break;
      } else if (thread.equals(call.group(1))
          && !rest.contains("MAP_ANONYMOUS")
          && !NOT_OURS.matcher(rest).matches()) {
        calls.put(call.group(2), line);
      }
    }
    assertTrue("both marks are there", !thread.isEmpty() && ended);
    return calls;
  }
}
