// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.fault;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;

/** Interrupts of threads that use the library's directories. */
public class InterruptTest extends InterruptSuite {

  public InterruptTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }
}
