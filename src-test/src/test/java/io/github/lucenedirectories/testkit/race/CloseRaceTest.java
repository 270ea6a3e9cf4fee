// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.race;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;

/** Closes of the library's inputs and directories under readers. */
public class CloseRaceTest extends CloseRaceSuite {

  public CloseRaceTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }
}
