// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
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

/** A process that commits to a journal; {@code -Dtestkit.kills=1000} kills as many. */
@TimeoutSuite(millis = 24 * 60 * 60 * 1_000)
public class JournalKillTest extends KillSuite {

  public JournalKillTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(
        each -> each.name().equals("NrtCacheDirectory(NioDirectory, journal)"));
  }

  @Override
  protected int usualKills() {
    return TestMode.current() == TestMode.SCALAR ? 8 : 3;
  }

  @Override
  protected List<String> command(List<String> jvm, String... arguments) {
    String[] all = Arrays.copyOf(arguments, 4);
    all[3] = "journal";
    return JavaCommand.of(jvm, LibraryCommits.class, all);
  }

  /** Once it was opened with the journal, the commits can be read without. */
  @Override
  protected Directory reader(Path folder) throws IOException {
    if (random().nextBoolean()) {
      return subject.open(folder);
    }
    subject.open(folder).close();
    return new MMapDirectory(folder);
  }
}
