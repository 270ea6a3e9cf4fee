// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.file.FileDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.util.IOUtils;

/** Files are copied between the directories on a file system, whole or not at all. */
public class CopyTest extends LibraryTestCase {

  /** A call that copied something. */
  private static final Pattern COPIED = Pattern.compile("copy_file_range.* = [1-9]");

  private final Path folder = FilterPath.unwrap(createTempDir());
  private final FaultyFileSystem faults = FaultyFileSystem.over(folder);
  private final byte[] bytes = randomBytes(random().nextInt(8_000, 100_000));

  private static List<FileDirectory> directories() throws IOException {
    return List.of(
        new NioDirectory(createTempDir()),
        new MappedDirectory(createTempDir()),
        new HybridDirectory(createTempDir()));
  }

  public void testEachToEach() throws IOException {
    List<FileDirectory> directories = directories();
    for (FileDirectory source : directories) {
      for (FileDirectory target : directories) {
        write(source, "a", bytes);
        target.copyFrom(source, "a", "b", IOContext.DEFAULT);
        target.sync(List.of("b"));
        assertArrayEquals(bytes, read(target, "b"));
        assertArrayEquals(bytes, read(source, "a"));
        target.deleteFile("b");
        source.deleteFile("a");
      }
    }
    IOUtils.close(directories);
  }

  /** Files with other bytes than its inputs return, as those of a directory that encrypts have. */
  private static final class Inverting extends NIOFSDirectory {
    Inverting() throws IOException {
      super(createTempDir(), NoLockFactory.INSTANCE);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(invert(Files.readAllBytes(getDirectory().resolve(name))));
      return new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(bytes)), name);
    }

    static byte[] invert(byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
      return bytes;
    }
  }

  /** What is copied is what inputs return, also of a directory that others wrote. */
  public void testDirectoriesOfOthers() throws IOException {
    try (Inverting source = new Inverting();
        FileDirectory target = new NioDirectory(createTempDir())) {
      write(source, "a", bytes);
      byte[] seen = read(source, "a");
      target.copyFrom(source, "a", "b", IOContext.DEFAULT);
      assertArrayEquals(seen, read(target, "b"));
      source.copyFrom(target, "b", "c", IOContext.DEFAULT);
      assertArrayEquals(bytes, read(source, "c"));
    }
  }

  public void testLoadedFromDirectoriesOfOthers() throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        Inverting source = new Inverting()) {
      try (IndexWriter writer = new IndexWriter(index, new IndexWriterConfig())) {
        writer.addDocument(List.of(new StoredField("text", "some text")));
      }
      for (String name : index.listAll()) {
        Files.write(source.getDirectory().resolve(name), Inverting.invert(read(index, name)));
      }
      try (Directory loaded = RamDirectory.load(source);
          DirectoryReader reader = DirectoryReader.open(loaded)) {
        assertEquals("some text", reader.storedFields().document(0).get("text"));
      }
    }
  }

  /** The bytes do not pass through this process, where the system has a call for that. */
  public void testCopiedByTheSystem() throws Exception {
    assumeTrue("no strace here", SystemCallTrace.works(folder, "how files are copied"));
    List<String> command = JavaCommand.of(List.of(), Program.class, folder.toString());
    List<String> calls = SystemCallTrace.of(folder, command);
    assertTrue(calls.stream().anyMatch(COPIED.asPredicate()));
    assertEquals(Program.BYTES, Files.size(folder.resolve("b")));
  }

  /** Copies a file in a folder, its argument. */
  public static final class Program {
    static final int BYTES = 1 << 20;

    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      try (NioDirectory directory = new NioDirectory(Path.of(args[0]))) {
        write(directory, "a", new byte[BYTES]);
        directory.copyFrom(directory, "a", "b", IOContext.DEFAULT);
      }
    }
  }

  /** An index of read-only files can be added and committed, also by who is not root. */
  public void testReadOnlyFiles() throws IOException {
    Path target = FilterPath.unwrap(createTempDir());
    assumeTrue("permissions", Files.getFileStore(folder).supportsFileAttributeView("posix"));
    try (NioDirectory from = new NioDirectory(folder);
        HybridDirectory to = new HybridDirectory(target)) {
      write(from, "a", bytes);
      Files.setPosixFilePermissions(
          folder.resolve("a"), PosixFilePermissions.fromString("r--r--r--"));
      to.copyFrom(from, "a", "b", IOContext.DEFAULT);
      assertTrue(
          Files.getPosixFilePermissions(target.resolve("b"))
              .contains(PosixFilePermission.OWNER_WRITE));
      assertArrayEquals(bytes, read(to, "b"));
    }
  }

  /** An interrupt closes the channels of a copy: it begins again, and the interrupt is kept. */
  public void testInterruptedCopy() throws IOException {
    try (NioDirectory directory = new NioDirectory(faults.wrapPath(folder))) {
      write(directory, "a", bytes);
      AtomicInteger interrupts = new AtomicInteger(random().nextInt(1, 4));
      faults.beforeTransfer =
          () -> {
            if (interrupts.getAndDecrement() > 0) {
              Thread.currentThread().interrupt();
            }
          };
      try {
        directory.copyFrom(directory, "a", "b", IOContext.DEFAULT);
      } finally {
        assertTrue(Thread.interrupted());
      }
      assertTrue(interrupts.get() < 0);
      assertArrayEquals(bytes, read(directory, "b"));
    }
  }

  /** A file system may copy less than it is asked for, and may fail on the way. */
  public void testCopyInParts() throws IOException {
    try (NioDirectory directory = new NioDirectory(faults.wrapPath(folder))) {
      write(directory, "a", bytes);
      faults.transferBytes = random().nextInt(1_000, 8_000);
      directory.copyFrom(directory, "a", "b", IOContext.DEFAULT);
      assertArrayEquals(bytes, read(directory, "b"));
      AtomicInteger writes = new AtomicInteger();
      faults.beforeTransfer =
          () -> {
            if (writes.incrementAndGet() == 2) {
              throw new IllegalStateException("planted");
            }
          };
      expectThrows(
          IllegalStateException.class,
          () -> directory.copyFrom(directory, "a", "c", IOContext.DEFAULT));
      assertEquals(List.of("a", "b"), names(directory));
    }
  }

  /** What another process deleted and this one wrote again has nothing to do with a failed sync. */
  public void testNewFileIsNotSuspect() throws IOException {
    try (NioDirectory directory = new NioDirectory(faults.wrapPath(folder))) {
      write(directory, "a", randomBytes(10));
      for (boolean copied : new boolean[] {false, true}) {
        write(directory, "b", randomBytes(10));
        faults.unsyncable.add("b");
        expectThrows(IOException.class, () -> directory.sync(List.of("b")));
        faults.unsyncable.clear();
        Files.delete(folder.resolve("b"));
        if (copied) {
          directory.copyFrom(directory, "a", "b", IOContext.DEFAULT);
        } else {
          write(directory, "b", randomBytes(10));
        }
        directory.sync(List.of("b"));
        directory.deleteFile("b");
      }
    }
  }

  /** In directories of every kind, and from a source of another kind. */
  public void testWhatIsThereStays() throws IOException {
    List<Directory> directories = new ArrayList<>(directories());
    try (Directory other = new ByteBuffersDirectory();
        BlockCache cache = BlockCache.builder().maxBytes(1 << 20).build()) {
      directories.add(new BlockCacheDirectory(new ByteBuffersDirectory(), cache));
      directories.add(new RamDirectory());
      directories.add(new NrtCacheDirectory(new ByteBuffersDirectory(), 1, 1));
      directories.add(PmemDirectory.builder(createTempDir()).initialBytes(1L << 24).build());
      write(other, "a", randomBytes(1_000));
      for (Directory directory : directories) {
        write(directory, "a", randomBytes(1_000));
        write(directory, "b", randomBytes(100));
        byte[] before = read(directory, "b");
        for (Directory source : List.of(directory, other)) {
          for (String name : List.of("a", "missing")) {
            expectThrows(
                FileAlreadyExistsException.class,
                () -> directory.copyFrom(source, name, "b", IOContext.DEFAULT));
          }
          expectThrows(
              NoSuchFileException.class,
              () -> directory.copyFrom(source, "missing", "c", IOContext.DEFAULT));
        }
        expectThrows(
            FileAlreadyExistsException.class,
            () -> directory.copyFrom(directory, "b", "b", IOContext.DEFAULT));
        assertArrayEquals(before, read(directory, "b"));
        assertEquals(List.of("a", "b"), names(directory));
        directory.copyFrom(other, "a", "c", IOContext.DEFAULT);
        assertEquals(1_000, directory.fileLength("c"));
        directory.close();
      }
    }
  }
}
