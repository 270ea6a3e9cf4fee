// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.Unwrappable;

/** Directories and inputs that an application drops without closing them. */
@LuceneTestCase.SuppressFileSystems("*") // which count the channels that are left open
public class DroppedTest extends LibraryTestCase {

  private static final int DIRECTORIES = Integer.getInteger("testkit.dropped", 100);

  /** All are collected, mappings and descriptors are released, and threads end. */
  public void testAllAreCollected() throws Exception {
    assumeTrue("needs native access", TestMode.current().nativeAccess());
    Path folder = Unwrappable.unwrapAll(createTempDir());
    byte[] bytes = randomBytes(20_000);
    try (Directory files = new NioDirectory(folder)) {
      write(files, "_0.doc", bytes);
      write(files, "_0.fdt", bytes);
    }
    long mapped = LiveResource.MAPPED_BYTES.amount();
    long descriptors = LiveResource.DESCRIPTORS.amount();
    List<WeakReference<Directory>> dropped = new ArrayList<>();
    IndexInput used = drop(folder, dropped);
    IndexInput clone = used.clone();
    collect(() -> dropped.stream().filter(each -> each.get() != null).count() <= 1);
    // The clone keeps its file mapped, though its directory and its original may be gone.
    used = null;
    collect(() -> LiveResource.MAPPED_BYTES.amount() == mapped + bytes.length);
    byte[] read = new byte[bytes.length];
    clone.readBytes(read, 0, read.length);
    assertArrayEquals(bytes, read);
    clone = null;
    collect(() -> LiveResource.MAPPED_BYTES.amount() == mapped);
    collect(() -> LiveResource.DESCRIPTORS.amount() == descriptors);
    collect(() -> dropped.stream().allMatch(each -> each.get() == null));
    collect(DroppedTest::noThreadsAreLeft);
  }

  private static IndexInput drop(Path folder, List<WeakReference<Directory>> dropped)
      throws IOException {
    IndexInput last = null;
    for (int i = 0; i <= DIRECTORIES; i++) {
      Directory directory =
          switch (i % 4) {
            case 0 -> new MappedDirectory(folder);
            case 1 -> new HybridDirectory(folder);
            case 2 -> HybridDirectory.builder(folder).read("doc", AccessMode.POSITIONAL).build();
            default -> HybridDirectory.builder(folder).memoryBytes(() -> 10_000).build();
          };
      dropped.add(new WeakReference<>(directory));
      IndexInput in = directory.openInput("_0.doc", IOContext.DEFAULT);
      in.clone().readByte();
      directory.openInput("_0.fdt", IOContext.DEFAULT).readByte();
      if (i == DIRECTORIES / 4 * 4) {
        last = in;
      }
    }
    assertNotNull(last);
    return last;
  }

  private static boolean noThreadsAreLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("lucene-directories-"));
  }

  private static void collect(BooleanSupplier done) {
    await(
        () -> {
          System.gc();
          return done.getAsBoolean();
        });
  }
}
