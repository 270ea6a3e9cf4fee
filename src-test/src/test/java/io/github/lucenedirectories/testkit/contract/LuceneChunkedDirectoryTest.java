package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import io.github.lucenedirectories.testkit.Sample;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.junit.Rule;

/**
 * Lucene's own tests of a directory whose files are cut in chunks. Tests that leave the length of a
 * chunk open get any from one byte to a kilobyte here, where Lucene's base class starts at a
 * kilobyte.
 */
public class LuceneChunkedDirectoryTest extends BaseChunkedDirectoryTestCase {

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();
  @Rule public final Sample sample;

  private final DirectoryUnderTest subject;

  public LuceneChunkedDirectoryTest(DirectoryUnderTest subject) {
    this.subject = subject;
    sample = new Sample(subject, DirectoriesUnderTest.all(DirectoryUnderTest::chunkable), 3);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoryUnderTest::chunkable);
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return getDirectory(path, 1 << random().nextInt(11));
  }

  @Override
  protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
    return subject.chunked(Integer.highestOneBit(maxChunkSize)).open(path);
  }

  @Override
  public void testIsLoaded() throws IOException {
    LuceneDirectoryTest.ResidencyCheck.run(
        subject.chunked(1 << random().nextInt(11)), createTempDir(), 0);
  }

  @Override
  public void testIsLoadedOnSlice() throws IOException {
    int start = random().nextInt(1, 1024);
    LuceneDirectoryTest.ResidencyCheck.run(
        subject.chunked(1 << random().nextInt(11)), createTempDir(), start);
  }
}
