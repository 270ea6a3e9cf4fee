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
    String pairs = "--pair ext4/journal --pair posix/journal --pair posix/RamDirectory(backing";
    run("crash/crash-test " + pairs + " --states 15 --seed " + random().nextInt(1 << 20));
  }

  public void testSchedules() throws Exception {
    run("schedules/schedules --schedules 30");
  }

  private static void run(String script) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "TMPDIR=/dev/shm"));
    command.add("JAVA_HOME=" + System.getProperty("java.home"));
    String classPath = System.getProperty("java.class.path");
    command.add("CLASSPATH=" + System.getProperty("surefire.test.class.path", classPath));
    List<String> words = List.of(script.split(" ", -1));
    command.add(Project.root().resolve("src-test").resolve(words.getFirst()).toString());
    command.addAll(words.subList(1, words.size()));
    Path output = createTempFile();
    int status = JavaCommand.run(command, output, 900);
    String said = Files.readString(output);
    if (status == LACKS) {
      Logger.getLogger(ProofSamplesTest.class.getName())
          .warning("LEFT OUT: " + script + ": " + said);
    }
    assumeTrue(said, status != LACKS);
    assertEquals(said, 0, status);
  }
}
