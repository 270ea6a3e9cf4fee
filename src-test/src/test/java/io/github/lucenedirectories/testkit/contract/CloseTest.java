// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.lucene.store.IndexInput;

/** Closed means closed; and what was closed is forgotten. */
public class CloseTest extends CloseSuite {

  public CloseTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }

  /** The heap of a process that opens and closes files for years does not grow. */
  public void testClosedFilesAreForgotten() throws IOException {
    openAndClose(20);
    long before = instances();
    openAndClose(200);
    await(() -> instances() < before + 150);
  }

  /** How many objects of this project's classes the heap has after a garbage collection. */
  private static long instances() {
    Object histogram;
    try {
      histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new AssertionError(e);
    }
    return String.valueOf(histogram)
        .lines()
        .filter(line -> line.contains(" io.github.lucenedirectories."))
        .mapToLong(line -> Long.parseLong(line.trim().split(" +", -1)[1]))
        .sum();
  }

  private void openAndClose(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      String name = "again" + i;
      write(directory, name, bytes);
      try (IndexInput in = directory.openInput(name, anyContext())) {
        in.clone().readByte();
      }
      directory.deleteFile(name);
    }
  }
}
