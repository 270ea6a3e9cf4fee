// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.TestMode;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.testkit.durability.KillSuite;
import io.github.lucenedirectories.testkit.durability.LibraryCommits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** A process that commits through {@code RamDirectory}; {@link BackingTest} shows the syncs. */
public class KillTest extends KillSuite {

  public KillTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(
        each -> each.name().equals("RamDirectory(backing=NioDirectory)"));
  }

  @Override
  protected int usualKills() {
    return TestMode.current() == TestMode.SCALAR ? 12 : 3;
  }

  @Override
  protected List<String> command(List<String> jvm, String... arguments) {
    String[] all = Arrays.copyOf(arguments, 4);
    all[3] = random().nextBoolean() ? "nio" : "mapped";
    return JavaCommand.of(jvm, LibraryCommits.class, all);
  }

  /** What was committed can be read without the library. */
  @Override
  protected Directory reader(Path folder) throws IOException {
    return new MMapDirectory(folder);
  }
}
