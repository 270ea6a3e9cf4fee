// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.security;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.uri.LuceneDirectories;
import io.github.lucenedirectories.warm.WarmStart;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * What {@code docs/guide/security.md} promises of files that others have planted or changed; that
 * of pool files is in {@code PoolFormatTest}.
 */
@LuceneTestCase.SuppressFileSystems("*") // links and permissions are those of real files
public class SecurityTest extends LibraryTestCase {

  private static final long RING_BYTES = 1 << 18;
  private static final int BLOCK_BYTES = 1 << 12;
  private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);

  /** Makes a file of each kind in a folder. */
  static final class Maker {
    private Maker() {}

    public static void main(String... arguments) throws Exception {
      makeAll(Path.of(arguments[0]));
    }
  }

  private static void addOne(Directory directory) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
      writer.addDocument(new Document());
    }
  }

  private static void makeAll(Path folder) throws Exception {
    NioDirectory.Builder direct = NioDirectory.builder(folder.resolve("nio")).directMergeBytes(1);
    for (Directory each : List.of(new NIOFSDirectory(folder.resolve("lucene")), direct.build())) {
      try (Directory directory = each) {
        addOne(directory);
        addOne(directory);
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
          writer.forceMerge(1);
        }
      }
    }
    Path pools = folder.resolve("pools");
    try (Directory directory =
        PmemDirectory.builder(pools).initialBytes(1 << 20).poolFileBytes(1 << 20).build()) {
      // Also for a pool that is made later.
      if (Files.exists(folder.resolve("planted"))) {
        Files.move(folder.resolve("planted"), pools.resolve("pool-00001.pmem.unfinished"));
      }
      write(directory, "_0.fdt", new byte[1 << 20]);
    }
    try (CommitJournal journal = CommitJournal.open(folder.resolve("journal"), RING_BYTES);
        Directory files = new MappedDirectory(folder.resolve("index"));
        Directory directory = new NrtCacheDirectory(files, journal)) {
      addOne(directory);
    }
    try (Directory directory = new HybridDirectory(folder.resolve("index"));
        WarmStart warm = WarmStart.builder(directory).start()) {
      assertTrue(warm.awaitLoaded(Duration.ofMinutes(1)));
    }
  }

  public void testPermissionsAreThoseOfLucene() throws Exception {
    for (String umask : List.of("000", "077")) {
      Path folder = createTempDir();
      List<String> command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + "; \"$@\""));
      command.add("sh");
      command.addAll(JavaCommand.of(List.of(), Maker.class, folder.toString()));
      Path output = createTempFile();
      assertEquals(Files.readString(output), 0, JavaCommand.run(command, output, 120));
      Set<String> modes = new TreeSet<>();
      try (var all = Files.walk(folder)) {
        for (Path path : all.skip(1).toList()) {
          String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
          modes.add((Files.isDirectory(path) ? "folder " : "file ") + mode);
        }
      }
      // Lucene's files are among them.
      assertEquals(umask + modes, 2, modes.size());
    }
  }

  /** Notes which files were opened so that one that is there, or a link's target, is written to. */
  private static final class Openings extends FilterFileSystemProvider {
    private final Set<String> names = new TreeSet<>();

    Openings(Path path) {
      super("openings://", path.getFileSystem());
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      if (options.contains(CREATE)) {
        names.add(path.getFileName().toString());
      }
      return super.newFileChannel(path, options, attributes);
    }

    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
      if (!List.of(options).contains(CREATE_NEW)) {
        names.add(path.getFileName().toString());
      }
      return super.newOutputStream(path, options);
    }
  }

  /** A link to a file or to none, or what a crash left, under each name that is known before. */
  public void testPlantedFilesAreReplaced() throws Exception {
    for (String planted : List.of("link", "dangling link", "file")) {
      Path folder = createTempDir();
      Path target = createTempDir().resolve("target");
      if (planted.equals("link")) {
        Files.write(target, SECRET);
      }
      for (String name :
          List.of(
              "planted",
              "journal.new",
              "nio/_0_points_0.tmp",
              "index/commit-journal.pending",
              "index/warm-start.image.tmp",
              "pools/probe.unfinished",
              "pools/pool-00000.pmem.unfinished",
              "pools/pool-00007.pmem.unfinished")) {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        if (planted.equals("file")) {
          Files.write(path, SECRET);
        } else {
          Files.createSymbolicLink(path, target);
        }
      }
      Openings openings = new Openings(folder);
      makeAll(openings.wrapPath(folder));
      // Lucene makes the locks: it follows links, but writes nothing.
      assertEquals(Set.of("journal.lock", "pmem.lock", "write.lock"), openings.names);
      assertEquals(!planted.equals("link"), Files.notExists(target));
      try (var all = Files.walk(folder)) {
        String temporary = ".*(new|tmp|pending|unfinished)";
        assertEquals(0, all.filter(path -> path.toString().matches(temporary)).count());
      }
      try (Directory directory = new NioDirectory(folder.resolve("nio"))) {
        Files.createSymbolicLink(folder.resolve("nio/_9.fdt"), target);
        expectThrows(
            FileAlreadyExistsException.class, () -> write(directory, "_9.fdt", new byte[9]));
        if (planted.equals("link")) {
          assertArrayEquals(SECRET, read(directory, "_9.fdt"));
        }
      }
    }
  }

  /** Else two processes could write it. */
  public void testLinkToJournalHasItsLock() throws IOException {
    Path folder = createTempDir();
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("journal"));
    expectThrows(NoSuchFileException.class, () -> CommitJournal.open(link, RING_BYTES));
    try (CommitJournal _ = CommitJournal.open(folder.resolve("journal"), RING_BYTES)) {
      expectThrows(LockObtainFailedException.class, () -> CommitJournal.open(link, RING_BYTES));
    }
    CommitJournal.open(link, RING_BYTES).close();
  }

  private static void string(ByteBuffersDataOutput out, int length, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeVInt(length == 0 ? bytes.length : length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  /** A record of a file, with a length of the file and of each string that may be wrong. */
  private static byte[] record(String folder, int strings, String file, int fileBytes)
      throws IOException {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    out.writeLong(1);
    out.writeLong(2);
    string(out, strings, folder);
    string(out, 0, "");
    out.writeVInt(0);
    out.writeVInt(1);
    string(out, 0, file);
    out.writeVInt(fileBytes);
    out.writeBytes(SECRET, 0, SECRET.length);
    return out.toArrayCopy();
  }

  /** Makes a journal whose first batch has a right checksum. */
  private static Path journal(byte[] records) throws IOException {
    Path path = createTempDir().resolve("journal");
    CommitJournal.open(path, RING_BYTES).close();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(BLOCK_BYTES).putInt(0).putInt(records.length);
    bytes.putLong(bytes.getLong(Long.BYTES)).putLong(bytes.getLong(2 * Long.BYTES));
    // Its position, that before it, and the tail.
    bytes.putLong(0).putLong(0).putLong(0).put(records);
    CRC32C checksum = new CRC32C();
    int from = BLOCK_BYTES + Integer.BYTES;
    checksum.update(bytes.duplicate().flip().position(from));
    bytes.putInt(BLOCK_BYTES, (int) checksum.getValue());
    return Files.write(path, bytes.array());
  }

  /** Lengths that would take all memory or go back, and names that lead out of the folder. */
  public void testCraftedJournal() throws IOException {
    for (byte[] record :
        List.of(
            record("folder", Integer.MAX_VALUE, "_0.si", SECRET.length),
            record("folder", -1, "_0.si", SECRET.length),
            record("folder", 0, "_0.si", SECRET.length + 1),
            // Back to the beginning of the record.
            record("folder", 0, "_0.si", -37),
            record("folder", 0, "../victim", SECRET.length),
            record("folder", 0, "/victim", SECRET.length),
            record("\0", 0, "_0.si", SECRET.length),
            new byte[9])) {
      Path path = journal(record);
      byte[] before = Files.readAllBytes(path);
      String message =
          expectThrows(CorruptIndexException.class, () -> CommitJournal.open(path)).toString();
      assertTrue(message, message.contains(path.toString()));
      assertArrayEquals(before, Files.readAllBytes(path));
    }
  }

  public void testCraftedLinkInFolder() throws IOException {
    Path path = createTempDir().resolve("journal");
    String prefix = "commit-journal." + UUID.randomUUID() + "." + UUID.randomUUID() + ".1";
    String noId = "commit-journal." + "-".repeat(36) + prefix.substring(51);
    for (int length : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      ByteBuffersDataOutput content = new ByteBuffersDataOutput();
      content.writeVInt(length);
      for (String name : List.of(prefix, noId)) {
        Path folder = createTempDir();
        Files.write(folder.resolve(name), content.toArrayCopy());
        try (CommitJournal journal = CommitJournal.open(path, RING_BYTES);
            Directory files = new NioDirectory(folder)) {
          expectThrows(CorruptIndexException.class, () -> new NrtCacheDirectory(files, journal));
        }
      }
    }
  }

  /** An image loads files of the index alone, in bounds; WarmImageTest bounds its memory. */
  public void testCraftedImage() throws Exception {
    Path secret = Files.write(createTempDir().resolve("_0.doc"), SECRET);
    try (Directory directory = new NioDirectory(createTempDir())) {
      write(directory, "_0.si", SECRET);
      for (int unitBytes : new int[] {-1, 0, 1, 1 << 14, Integer.MAX_VALUE}) {
        String file = " " + unitBytes + " 6 0 " + "/".repeat(400);
        Path image = createTempFile();
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(image))) {
          String text = "warm-start 2\n_0.si" + file + "\n" + secret + file;
          out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        try (WarmStart warm = WarmStart.builder(directory).image(image).start()) {
          assertTrue(warm.awaitLoaded(Duration.ofMinutes(1)));
          assertTrue(warm.toString(), warm.toString().contains("totalBytes=0"));
        }
      }
    }
  }

  /** So a URI must not come from someone whom one does not trust. */
  public void testUriNamesAnyPath() throws IOException {
    Path anywhere = createTempDir();
    String uri = "nrt:nio:" + anywhere + "/a?journal=" + anywhere + "/journal";
    LuceneDirectories.open(uri).close();
    assertTrue(Files.isDirectory(anywhere.resolve("a")));
    assertTrue(Files.isRegularFile(anywhere.resolve("journal")));
  }
}
