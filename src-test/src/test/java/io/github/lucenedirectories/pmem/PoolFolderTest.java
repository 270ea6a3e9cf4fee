// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.TestMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/** Where pool files are made, how, and where not. */
@LuceneTestCase.SuppressFileSystems("*") // what a mock file system adds is no pool file
public class PoolFolderTest extends PoolTestCase {

  /** Notes what makes files durable, and how many bytes had been written to them by then. */
  private static final class Steps extends FilterFileSystemProvider {
    private final List<String> steps = new ArrayList<>();
    private boolean folderFails;

    Steps(Path path) {
      super("steps://", path.getFileSystem());
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      super.move(source, target, options);
      steps.add("move to " + target.getFileName());
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
        private long written;

        @Override
        public int write(ByteBuffer bytes) throws IOException {
          int n = super.write(bytes);
          written += n;
          return n;
        }

        @Override
        public void force(boolean metaData) throws IOException {
          if (folderFails && Files.isDirectory(path)) {
            throw new IOException("Input/output error");
          }
          super.force(metaData);
          steps.add("force " + path.getFileName() + " bytes=" + written + " " + metaData);
        }
      };
    }
  }

  /** All bytes, so that there is room for them; then the file; then its name; then that. */
  public void testPoolFileIsDurableBeforeItIsUsed() throws IOException {
    Path folder = createTempDir();
    Steps steps = new Steps(folder);
    List<String> expected = new ArrayList<>();
    long first = POOL_BYTES + random().nextInt(3 << 20);
    long second = POOL_BYTES + random().nextInt(3 << 20);
    try (PmemDirectory directory =
        byJdk(steps.wrapPath(folder)).initialBytes(first).poolFileBytes(second).build()) {
      while (metric(directory, "pmem.pool.files") < 2) {
        write(directory, "_" + directory.listAll().length, new byte[1 << 18]);
      }
    }
    for (int i = 0; i < 2; i++) {
      String name = "pool-0000" + i + ".pmem";
      long bytes = Files.size(folder.resolve(name));
      expected.add("force " + name + ".unfinished bytes=" + bytes + " true");
      expected.add("move to " + name);
      expected.add("force " + folder.getFileName() + " bytes=0 true");
    }
    assertEquals(expected, steps.steps);
  }

  /** A crash may remove a name that is not durable, with all files in its pool. */
  public void testFolderThatCannotBeSynced() throws IOException {
    Path folder = createTempDir();
    Steps steps = new Steps(folder);
    PmemDirectory.Builder builder = byJdk(steps.wrapPath(folder)).poolFileBytes(POOL_BYTES);
    steps.folderFails = true;
    expectThrows(IOException.class, builder::build);
    steps.folderFails = false;
    try (PmemDirectory directory = builder.build()) {
      write(directory, "durable", new byte[10]);
      directory.sync(Set.of("durable"));
      steps.folderFails = true;
      byte[] tooLong = new byte[Math.toIntExact(POOL_BYTES)];
      expectThrows(IOException.class, () -> write(directory, "long", tooLong));
      steps.folderFails = false;
      write(directory, "again", tooLong);
      directory.sync(Set.of("again"));
    }
    try (PmemDirectory directory = builder.build()) {
      assertArrayEquals(new String[] {"again", "durable"}, directory.listAll());
    }
  }

  /** An index that seems to be there must not seem to be empty. */
  public void testFolderWithAnIndexOfFiles() throws IOException {
    Path folder = createTempDir();
    try (Directory files = FSDirectory.open(folder);
        IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      writer.addDocument(new Document());
    }
    Map<String, byte[]> before = poolFiles(folder);
    for (PmemDirectory.Builder builder :
        List.of(PmemDirectory.builder(folder), byJdk(folder), byLlpl(folder))) {
      String message = String.valueOf(expectThrows(IOException.class, builder::build).getMessage());
      assertTrue(message, message.contains("copyFrom"));
      assertTrue(message, message.endsWith("folder=" + folder));
      assertPools(before, poolFiles(folder));
      assertFalse(Files.exists(folder.resolve("pmem.lock")));
    }
    Path pools = createTempDir();
    byJdk(pools).build().close();
    for (Map.Entry<String, byte[]> file : before.entrySet()) {
      Files.write(pools.resolve(file.getKey()), file.getValue());
    }
    try (PmemDirectory directory = byJdk(pools).build()) {
      assertArrayEquals(new String[0], directory.listAll());
    }
  }

  /** What is missing can be changed, and the folder opened again. */
  public void testFailedOpenUnlocksTheFolder() throws IOException {
    Path folder = createTempDir();
    Path undeletable = Files.createDirectories(folder.resolve("pool-00000.pmem.unfinished/b"));
    expectThrows(DirectoryNotEmptyException.class, () -> byJdk(folder).build());
    IOUtils.rm(undeletable.getParent());
    expectThrows(
        IllegalArgumentException.class, () -> byJdk(folder).mode(PmemMode.EMULATED).build());
    IOException e =
        expectThrows(IOException.class, () -> byJdk(folder).initialBytes(1L << 60).build());
    assertTrue(e.toString(), e.toString().contains("no room for a pool file"));
    if (PoolMapping.choose(folder, null, null).mode() != PmemMode.PMEM) {
      e = expectThrows(IOException.class, () -> byJdk(folder).mode(PmemMode.PMEM).build());
      assertTrue(e.toString(), e.toString().contains("-o dax"));
    }
    byJdk(folder).build().close();
  }

  /** The second attempt meets what the first has left of a class. */
  public void testDeniedNativeAccessNamesItsFlag() {
    assumeFalse("native access", TestMode.current().nativeAccess());
    for (int i = 0; i < 2; i++) {
      IOException e = expectThrows(IOException.class, () -> byLlpl(createTempDir()).build());
      String message = String.valueOf(e.getMessage());
      assertTrue(message, message.endsWith(" --enable-native-access=ALL-UNNAMED"));
    }
  }
}
