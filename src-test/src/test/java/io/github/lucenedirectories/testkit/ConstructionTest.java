// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.SimpleFSLockFactory;
import org.apache.lucene.util.CommandLineUtil;

/** How directories are made by the name of their class, and what builders refuse. */
public class ConstructionTest extends LibraryTestCase {

  /** As an application, or Lucene's {@code -Dtests.directory}, names a directory. */
  public void testByNameOfClass() throws IOException {
    for (Class<? extends FSDirectory> type :
        List.of(NioDirectory.class, MappedDirectory.class, HybridDirectory.class)) {
      byte[] bytes = randomBytes(100);
      Path folder = createTempDir();
      LockFactory locks = SimpleFSLockFactory.INSTANCE;
      try (Directory directory = CommandLineUtil.newFSDirectory(type.getName(), folder, locks)) {
        assertSame(type, directory.getClass());
        write(directory, "file", bytes);
        directory.obtainLock("simple.lock").close();
      }
      try (Directory directory = CommandLineUtil.newFSDirectory(type.getName(), folder)) {
        assertArrayEquals(bytes, read(directory, "file"));
      }
    }
  }

  public void testOptionsThatCannotBe() throws IOException {
    Path folder = createTempDir();
    List<ThrowingRunnable> constructions = new ArrayList<>();
    for (int bytes : new int[] {Integer.MIN_VALUE, -1, 0, 3, 12, 1_000}) {
      constructions.add(() -> RamDirectory.builder().chunkBytes(bytes).build());
      constructions.add(() -> MappedDirectory.builder(folder).chunkBytes(bytes).build());
      constructions.add(() -> HybridDirectory.builder(folder).chunkBytes(bytes).build());
      constructions.add(() -> NioDirectory.builder(folder).blockBytes(bytes).build());
      constructions.add(() -> BlockCache.builder().blockBytes(bytes).build());
      constructions.add(() -> BlockCache.builder().maxBytes(bytes).build());
    }
    constructions.add(() -> HybridDirectory.builder(folder).read(".fdt", AccessMode.POSITIONAL));
    constructions.add(() -> BlockCache.builder().blockBytes(2_048).build());
    constructions.add(() -> BlockCache.builder().blockBytes(1 << 19).build());
    constructions.add(() -> BlockCache.builder().maxBytes(1 << 13).build());
    constructions.add(() -> BlockCache.builder().maxBytes(Long.MAX_VALUE).build());
    constructions.forEach(each -> expectThrows(IllegalArgumentException.class, each));
  }
}
