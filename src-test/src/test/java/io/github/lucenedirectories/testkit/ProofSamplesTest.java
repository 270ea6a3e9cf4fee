// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.testkit.durability.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Samples of {@code ./run crash-test} and {@code ./run schedules}. */
@LuceneTestCase.SuppressFileSystems("*") // other processes use the folder
public class ProofSamplesTest extends LibraryTestCase {

  /** What the scripts end with where the machine lacks something. */
  private static final int LACKS = 3;

  /** States of a real file system, and of one that keeps only what POSIX promises. */
  public void testCrashStates() throws Exception {
    String classPath = classPath();
    String seed = Long.toString(random().nextInt(1 << 20));
    for (String pair : List.of("ext4/journal", "posix/journal", "posix/RamDirectory(backing")) {
      run(
          "crash/crash-test",
          "--class-path",
          classPath,
          "--pair",
          pair,
          "--states",
          "15",
          "--seed",
          seed);
    }
  }

  public void testSchedules() throws Exception {
    run("schedules/schedules", classPath(), "--schedules", "30");
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static void run(String script, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), "TMPDIR=/dev/shm"));
    command.add(Project.root().resolve("src-test").resolve(script).toString());
    command.addAll(List.of(arguments));
    Path output = createTempFile();
    int status = JavaCommand.run(command, output, 300);
    String said = Files.readString(output);
    if (status == LACKS) {
      Logger.getLogger(ProofSamplesTest.class.getName())
          .warning("LEFT OUT: " + script + ": " + said);
    }
    assumeTrue(said, status != LACKS);
    assertEquals(said, 0, status);
  }
}
