// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.StoreTestCase;
import io.github.lucenedirectories.testkit.Subject;
import io.github.lucenedirectories.testkit.TestKitRunner;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.junit.Rule;
import org.junit.rules.TestRule;

/**
 * Lucene's own tests of a directory, with any answer to {@code isLoaded}, and with files cut in
 * chunks of one byte to a kilobyte, where Lucene's base class starts at a kilobyte.
 */
public class LuceneSuite extends BaseChunkedDirectoryTestCase {

  @Rule public final TestRule rule;

  private final Subject subject;

  public LuceneSuite(Subject subject) {
    this.subject = subject;
    this.rule = subject.rule();
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return TestKitRunner.parameters();
  }

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return subject.chunkable() && random().nextBoolean()
        ? getDirectory(path, 1 << random().nextInt(11))
        : subject.open(path);
  }

  @Override
  protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
    assumeTrue("the length of chunks cannot be chosen", subject.chunkable());
    return subject.chunked(Integer.highestOneBit(maxChunkSize)).open(path);
  }

  @Override
  public void testCloneClose() throws Exception {
    assumeTrue("not promised", subject.promises().contains(Promise.CLOSED_PARTS));
    super.testCloneClose();
  }

  @Override
  public void testCloneSliceClose() throws Exception {
    assumeTrue("not promised", subject.promises().contains(Promise.CLOSED_PARTS));
    super.testCloneSliceClose();
  }

  /** Lucene's version asks for the class of the directory. */
  @Override
  public final void testIsLoaded() throws IOException {
    checkResidency(0);
  }

  @Override
  public final void testIsLoadedOnSlice() throws IOException {
    checkResidency(random().nextInt(1, 1_024));
  }

  /** Asks for a file that was just written: any answer is right, and asking does no harm. */
  protected void checkResidency(int start) throws IOException {
    byte[] bytes = StoreTestCase.randomBytes(40_000);
    try (Directory directory = getDirectory(createTempDir())) {
      StoreTestCase.write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        IndexInput slice = in.slice("slice", start, bytes.length - start);
        assertNotNull(slice.isLoaded());
        assertNotNull(in.randomAccessSlice(start, bytes.length - start).isLoaded());
        assertNotNull(in.slice("nothing", start, 0).isLoaded());
        assertEquals(0, slice.getFilePointer());
      }
    }
  }
}
