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
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * A process that commits through {@code RamDirectory}, or to a journal; {@link BackingHistoryTest}
 * and {@link JournalCrashTest} show the syncs. {@code -Dtestkit.kills=1000} kills as many.
 */
@TimeoutSuite(millis = 24 * 60 * 60 * 1_000)
public class KillTest extends KillSuite {

  public KillTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    Set<String> names =
        Set.of("RamDirectory(backing=NioDirectory)", "NrtCacheDirectory(NioDirectory, journal)");
    return DirectoriesUnderTest.parameters(each -> names.contains(each.name()));
  }

  @Override
  protected int usualKills() {
    return TestMode.current() == TestMode.SCALAR ? 12 : 3;
  }

  private boolean hasJournal() {
    return subject.toString().contains("journal");
  }

  @Override
  protected List<String> command(List<String> jvm, String... arguments) {
    String[] all = Arrays.copyOf(arguments, 4);
    all[3] = hasJournal() ? "journal" : random().nextBoolean() ? "nio" : "mapped";
    return JavaCommand.of(jvm, LibraryCommits.class, all);
  }

  /** What was committed can be read without the library, once it was opened with the journal. */
  @Override
  protected Directory reader(Path folder) throws IOException {
    if (hasJournal()) {
      if (random().nextBoolean()) {
        return subject.open(folder);
      }
      subject.open(folder).close();
    }
    return new MMapDirectory(folder);
  }
}
