// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.apache.lucene.util.IORunnable;
import org.junit.Rule;
import org.junit.rules.TestRule;

/** A test that gives back all it takes, and says with each failure how to repeat it. */
public abstract class LibraryTestCase extends StoreTestCase {

  @Rule public final TestRule rule = LibraryRule.make();

  /** A metric of a directory or cache that counts something. */
  public static long metric(MetricSource source, String name) {
    return source.metrics().getOrDefault(name, Double.NaN).longValue();
  }

  /** As {@link #start}, for a task without a result. */
  public static FutureTask<Void> begin(IORunnable task) {
    return start(
        () -> {
          task.run();
          return null;
        });
  }

  /** A new folder, in memory where there is such a file system. The test deletes it. */
  public static Path createDirInMemory() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "lucene-directories")
        : createTempDir();
  }

  /** Evicts a range of a file from the page cache; the length 0 is up to the end. */
  public static void evict(Path file, long pos, long length) throws IOException {
    FileCalls calls = NativeCalls.get().orElseThrow().files();
    int descriptor = calls.openForRead(NativePath.of(file).orElseThrow());
    try {
      assertTrue(calls.advise(descriptor, pos, length, FileCalls.Advice.NOT_NEEDED));
    } finally {
      calls.close(descriptor);
    }
  }
}
