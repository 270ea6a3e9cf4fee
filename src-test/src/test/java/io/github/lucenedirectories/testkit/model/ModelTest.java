// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.model;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;

/** The library's directories, compared with a map of byte arrays. */
public class ModelTest extends ModelSuite {

  public ModelTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(_ -> true);
  }
}
