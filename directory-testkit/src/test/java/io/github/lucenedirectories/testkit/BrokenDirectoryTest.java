// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.testkit.BrokenDirectory.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** The kit notices a fault, says how to repeat what failed, and passes a directory without one. */
class BrokenDirectoryTest {

  private static final String OPERATIONS = "testkit.operations";

  private static Fault current = Fault.NONE;

  /** What a user would write. */
  public static class Kit extends DirectoryTestKit {
    @Override
    public Directory open(Path path) throws IOException {
      return new BrokenDirectory(path, current);
    }

    @Override
    public List<Class<? extends LuceneTestCase>> suites() {
      return current.suites;
    }
  }

  @BeforeAll
  static void runsFewOperations() {
    System.setProperty(OPERATIONS, "1500");
  }

  @AfterAll
  static void runsAsUsual() {
    System.clearProperty(OPERATIONS);
  }

  @ParameterizedTest
  @EnumSource
  void testFault(Fault fault) {
    current = fault;
    Result result = new JUnitCore().run(Kit.class);
    List<Failure> failures = result.getFailures();
    if (fault == Fault.NONE) {
      assertEquals(List.of(), failures);
      assertTrue(result.getRunCount() > 25, "run=" + result.getRunCount());
      assertTrue(result.getAssumptionFailureCount() > 0, "what is not promised is reported");
    } else {
      assertTrue(!failures.isEmpty(), "not noticed");
      String repeat = "repeat with: mvn test -Dtest=Kit '-Dtests.method=test";
      assertTrue(failures.get(0).getMessage().contains(repeat), failures.get(0).getMessage());
    }
  }
}
