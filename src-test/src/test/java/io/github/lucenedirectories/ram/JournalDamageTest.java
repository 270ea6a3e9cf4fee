// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/**
 * A damaged journal, and a journal and a folder that do not belong together any more: one clear
 * error or the newest commit, never an older one that nobody notices.
 */
@LuceneTestCase.SuppressFileSystems("*") // files are copied behind the journal's back
public class JournalDamageTest extends JournalTestCase {

  private static final int HEADER_BYTES = 24 + 8 + 4;
  private static final int BATCH_HEADER_BYTES = 5 * 8 + 2 * 4;

  /** What a process that was killed may have left: the folder, the journal, and its last commit. */
  private record Left(Path path, int commits) {
    Path folder() {
      return path.resolve("index");
    }

    Path journal() {
      return path.resolve("commits");
    }
  }

  private Path live = Path.of("");

  /** Offset and length of each write to the journal before the last look at it. */
  private List<long[]> writes = List.of();

  @Override
  public void setUp() throws Exception {
    super.setUp();
    live = path();
  }

  /** All histories take place in the same folder, since the journal names it. */
  private Left live() {
    return new Left(live, 0);
  }

  /** Commits in the live folder, one document each, and looks now and then at what there is. */
  private List<Left> history(String steps) throws IOException {
    Left live = live();
    List<Left> seen = new ArrayList<>();
    Files.createDirectories(live.path);
    JournalWorld world = new JournalWorld(live.journal(), 0, 0);
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = new NrtCacheDirectory(new NioDirectory(live.folder()), journal)) {
      // Its close commits nothing.
      IndexWriterConfig config = new IndexWriterConfig().setCommitOnClose(false);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < steps.length(); i++) {
          switch (steps.charAt(i)) {
            case 'c' -> {
              writer.addDocument(document(writer.getDocStats().numDocs));
              writer.commit();
            }
            case 'k' -> journal.checkpoint();
            default -> {
              seen.add(copy(live, writer.getDocStats().numDocs));
              writes = world.written();
            }
          }
        }
      }
    }
    return seen;
  }

  private Left copy(Left from, int commits) throws IOException {
    Left copy = new Left(path(), commits);
    copyFolder(from.path, copy.path);
    copyFolder(from.folder(), copy.folder());
    return copy;
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          Path target = to.resolve(file.getFileName());
          Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Puts a folder and a journal in place. */
  private Left put(Left folder, Left journal) throws IOException {
    Left live = live();
    IOUtils.rm(live.path);
    copyFolder(folder.folder(), live.folder());
    Files.copy(journal.journal(), live.journal());
    return live;
  }

  /** How many documents the newest commit has that is found. */
  private static int recover(Left live) throws IOException {
    int found;
    try (Directory directory = open(live.journal(), live.folder())) {
      found = numDocs(directory);
      // It can go on.
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        writer.addDocument(document(found));
      }
      assertEquals(found + 1, numDocs(directory));
    }
    try (Directory directory = new NioDirectory(live.folder())) {
      assertEquals(found + 1, numDocs(directory));
    }
    return found;
  }

  /** The error names the journal, and nothing was changed: the right pair is still recovered. */
  private void checkRefused(Left folder, Left journal, Left right) throws IOException {
    Left live = put(folder, journal);
    Set<String> before = Set.of(FSDirectory.listAll(live.folder()));
    expectError(live.journal().toString(), () -> recover(live));
    assertEquals(before, Set.of(FSDirectory.listAll(live.folder())));
    if (folder != right) {
      IOUtils.rm(live.folder());
      copyFolder(right.folder(), live.folder());
    }
    if (journal != right) {
      Files.copy(right.journal(), live.journal(), StandardCopyOption.REPLACE_EXISTING);
    }
    assertEquals(right.commits, recover(live));
  }

  private void checkRecoveredOrRefused(Left folder, Left right) throws IOException {
    Left live = put(folder, right);
    try {
      assertEquals(right.commits, recover(live));
    } catch (IOException e) {
      assertTrue(e.toString(), e.toString().contains(live.journal().toString()));
      assertEquals(right.commits, recover(put(right, right)));
    }
  }

  public void testFlippedBits() throws IOException {
    Left left = history("ccccckccccccl").getFirst();
    byte[] bytes = Files.readAllBytes(left.journal());
    long[] last = writes.getLast();
    List<Integer> offsets = new ArrayList<>();
    for (int i = 0; i < HEADER_BYTES; i += random().nextInt(1, 5)) {
      offsets.add(i);
    }
    IntStream.range(0, BATCH_HEADER_BYTES).forEach(i -> offsets.add((int) last[0] + i));
    for (long[] write : writes) {
      for (int i = 0; i < 6; i++) {
        // The beginning of a batch, any of its bytes, and its end.
        int within = i < 3 ? random().nextInt(60) : random().nextInt((int) write[1]);
        offsets.add((int) write[0] + within);
      }
    }
    for (int i = 0; i < 10; i++) {
      offsets.add(random().nextInt(bytes.length));
    }
    int errors = 0;
    for (int offset : offsets) {
      Left live = put(left, left);
      byte[] damaged = bytes.clone();
      damaged[offset] ^= (byte) (1 << random().nextInt(8));
      Files.write(live.journal(), damaged);
      long within = offset - last[0];
      boolean inLast = within >= 0 && within < last[1];
      try {
        int found = recover(live);
        // The last batch passes for a torn one, whatever is flipped in its header.
        assertTrue(
            "offset=" + offset + ", found=" + found,
            found == left.commits
                ? !inLast || within >= BATCH_HEADER_BYTES
                : inLast && found == left.commits - 1);
      } catch (CorruptIndexException e) {
        errors++;
        assertFalse("a torn end: " + e, inLast);
        String message = e.toString();
        assertTrue(message, message.contains(live.journal().toString()));
        assertTrue(message, message.contains("offset") || message.contains("length"));
        // It is not made worse.
        assertArrayEquals(damaged, Files.readAllBytes(live.journal()));
        Files.write(live.journal(), bytes);
        assertEquals(left.commits, recover(live));
      }
    }
    assertTrue("errors=" + errors, errors > 10);
  }

  /** A later release's journal is told from a damaged one by its checksum. */
  public void testLaterVersion() throws IOException {
    Left left = history("ccl").getFirst();
    Left live = put(left, left);
    byte[] bytes = Files.readAllBytes(live.journal());
    byte[] later = bytes.clone();
    later[Long.BYTES - 1]++;
    CRC32C checksum = new CRC32C();
    checksum.update(later, 0, HEADER_BYTES - Integer.BYTES);
    ByteBuffer.wrap(later)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(HEADER_BYTES - Integer.BYTES, (int) checksum.getValue());
    Files.write(live.journal(), later);
    Exception refused = expectThrows(IndexFormatTooNewException.class, () -> recover(live));
    String message = refused.toString();
    assertTrue(message, message.contains(live.journal().toString()) && message.contains(": 2 ("));
    assertArrayEquals(later, Files.readAllBytes(live.journal()));
    Files.write(live.journal(), bytes);
    assertEquals(left.commits, recover(live));
  }

  /** With a right checksum, as someone could write it: the commit begins with a negative length. */
  public void testCraftedCommit() throws IOException {
    Left left = history("ccl").getFirst();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(left.journal()));
    int at = (int) writes.getLast()[0];
    int batch =
        BATCH_HEADER_BYTES + bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(at + Integer.BYTES);
    int commit = at + batch - 1;
    while (bytes.duplicate().order(ByteOrder.BIG_ENDIAN).getInt(commit) != CodecUtil.CODEC_MAGIC) {
      commit--;
    }
    Arrays.fill(bytes.array(), commit + Integer.BYTES, commit + 2 * Integer.BYTES, (byte) -1);
    bytes.put(commit + 2 * Integer.BYTES, (byte) 0xf);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), at + Integer.BYTES, batch - Integer.BYTES);
    bytes.putInt(at, (int) checksum.getValue());
    Left live = put(left, left);
    Files.write(live.journal(), bytes.array());
    CorruptIndexException e = expectThrows(CorruptIndexException.class, () -> recover(live));
    assertTrue(e.toString(), e.toString().contains(live.journal().toString()));
  }

  /** What a folder lacks that was lost with its link is given up for good. */
  public void testDiscardOfLostFolder() throws IOException {
    Left left = history("ccl").getFirst();
    Left live = put(left, left);
    IOUtils.rm(live.folder());
    try (CommitJournal journal = CommitJournal.open(live.journal())) {
      journal.discard(live.folder().toString());
      // What a crash would leave: the ring still has the records.
      Files.copy(live.journal(), left.path.resolve("crashed"));
    }
    Files.move(left.path.resolve("crashed"), live.journal(), StandardCopyOption.REPLACE_EXISTING);
    try (CommitJournal journal = CommitJournal.open(live.journal());
        Directory directory = new NrtCacheDirectory(new NioDirectory(live.folder()), journal)) {
      assertEquals(Set.of(), journal.unrecoveredFolders());
      assertEquals(0, numDocs(directory));
    }
  }

  /** Where another index's folder took the place of one, no commit of either is given up. */
  public void testFolderReplacedByAnother() throws IOException {
    Path file = path();
    Path first = Files.createDirectories(path()).toRealPath();
    Path second = Files.createDirectories(path()).toRealPath();
    Left crashed = new Left(path(), 1);
    try (CommitJournal journal = CommitJournal.open(file, RING_BYTES);
        Directory one = new NrtCacheDirectory(new NioDirectory(first), journal)) {
      addOne(one);
      // So its link has a position after the commit of the first one.
      try (Directory two = new NrtCacheDirectory(new NioDirectory(second), journal)) {
        addOne(two);
        copyFolder(second, crashed.folder());
        Files.copy(file, crashed.journal());
      }
    }
    Files.move(crashed.journal(), file, StandardCopyOption.REPLACE_EXISTING);
    IOUtils.rm(first, second);
    Files.move(crashed.folder(), first);
    try (CommitJournal journal = CommitJournal.open(file)) {
      assertEquals(Set.of(first.toString(), second.toString()), journal.unrecoveredFolders());
      journal.discard(first.toString());
      try (Directory two = new NrtCacheDirectory(new NioDirectory(first), journal)) {
        assertEquals(1, numDocs(two));
      }
    }
  }

  /** A folder that was moved after a crash gets its commits there. */
  public void testMovedFolder() throws IOException {
    Left left = history("ckcl").getFirst();
    Left live = put(left, left);
    Path moved = path();
    Files.move(live.folder(), moved);
    try (Directory directory = open(live.journal(), moved)) {
      assertEquals(left.commits, numDocs(directory));
    }
  }

  /** A copy of a folder is known for one also after the journal was moved. */
  public void testCopyAfterMove() throws IOException {
    Path journal = path();
    Path moved = path();
    Path folder = path();
    Path[] left = {path(), path()};
    for (Path at : List.of(journal, moved)) {
      Path then = path();
      try (CommitJournal opened = CommitJournal.open(at, RING_BYTES);
          Directory directory = new NrtCacheDirectory(new NioDirectory(folder), opened)) {
        if (at.equals(moved)) {
          addOne(directory);
        }
        // What a crash would leave.
        Files.copy(at, then);
        copyFolder(folder, left[at.equals(moved) ? 1 : 0]);
      }
      Files.delete(at);
      Files.move(then, moved);
      IOUtils.rm(folder);
      copyFolder(left[at.equals(moved) ? 1 : 0], folder);
    }
    expectError("a copy of a folder", () -> open(moved, left[1]));
    try (Directory directory = open(moved, folder)) {
      assertEquals(1, numDocs(directory));
    }
  }

  /** Batches of a journal with another id do not count. */
  public void testBatchesOfAnotherJournal() throws IOException {
    byte[] other = Files.readAllBytes(history("cccl").getFirst().journal());
    IOUtils.rm(live().path);
    Left left = history("cl").getFirst();
    byte[] bytes = Files.readAllBytes(left.journal());
    System.arraycopy(other, 1 << 12, bytes, 1 << 12, (int) RING_BYTES);
    Left live = put(left, left);
    IOUtils.rm(live.folder());
    Files.write(live.journal(), bytes);
    try (CommitJournal journal = CommitJournal.open(live.journal())) {
      assertEquals(Set.of(), journal.unrecoveredFolders());
    }
  }

  /** A restored backup is a commit that no rename has published. */
  public void testRestoredBackup() throws IOException {
    try (Directory backup = new ByteBuffersDirectory()) {
      addOne(backup);
      checkAfterCrash(
          (directory, journal) -> {
            List<String> names = List.of(backup.listAll());
            for (String name : names) {
              directory.copyFrom(backup, name, name, IOContext.DEFAULT);
            }
            directory.sync(names);
            directory.syncMetaData();
            if (random().nextBoolean()) {
              journal.checkpoint();
            }
            addOne(directory);
          });
    }
  }

  /** A writer goes on from an older commit and deletes the later one, which only memory has. */
  public void testRollbackToOlderCommit() throws IOException {
    checkAfterCrash(
        (directory, journal) -> {
          addKept(directory);
          journal.checkpoint();
          addKept(directory);
          IndexCommit first = DirectoryReader.listCommits(directory).getFirst();
          IndexWriterConfig config = new IndexWriterConfig();
          config.setIndexCommit(first).setCommitOnClose(false);
          config.setIndexDeletionPolicy(new KeepFirst());
          try (IndexWriter writer = new IndexWriter(directory, config)) {
            journal.checkpoint();
            writer.addDocument(document(1));
            writer.commit();
          }
        });
  }

  /** Deletes the later commits that there are at first, and keeps those that come. */
  private static final class KeepFirst extends IndexDeletionPolicy {
    @Override
    public void onInit(List<? extends IndexCommit> commits) throws IOException {
      commits.stream().skip(1).forEach(IndexCommit::delete);
    }

    @Override
    public void onCommit(List<? extends IndexCommit> commits) {}
  }

  private interface Work {
    void accept(Directory directory, CommitJournal journal) throws IOException;
  }

  /** Some work has left two documents if the process ends without a close. */
  private void checkAfterCrash(Work work) throws IOException {
    Left live = live();
    Files.createDirectories(live.path);
    Left left;
    try (CommitJournal journal = CommitJournal.open(live.journal(), RING_BYTES);
        Directory directory = new NrtCacheDirectory(new NioDirectory(live.folder()), journal)) {
      work.accept(directory, journal);
      left = copy(live, 2);
    }
    assertEquals(left.commits, recover(put(left, left)));
  }

  public void testCut() throws IOException {
    Left left = history("cccl").getFirst();
    byte[] bytes = Files.readAllBytes(left.journal());
    for (int i = 0; i < 20; i++) {
      Left live = put(left, left);
      int length = i < 2 ? i : random().nextInt(bytes.length);
      Files.write(live.journal(), Arrays.copyOf(bytes, length));
      CorruptIndexException e =
          expectThrows(CorruptIndexException.class, () -> CommitJournal.open(live.journal()));
      assertTrue(e.toString(), e.toString().contains(live.journal().toString()));
    }
    Left live = put(left, left);
    try (RandomAccessFile file = new RandomAccessFile(live.journal().toFile(), "rw")) {
      file.setLength(bytes.length + 4_096L);
    }
    expectThrows(CorruptIndexException.class, () -> CommitJournal.open(live.journal()));
  }

  public void testOtherJournal() throws IOException {
    Left left = history("cccl").getFirst();
    IOUtils.rm(live().path);
    Left other = history("cccccl").getFirst();
    checkRefused(left, other, left);
    // The journal is gone, and a new one is made.
    Left live = put(left, left);
    Files.delete(live.journal());
    expectThrows(IOException.class, () -> recover(live));
    Files.copy(left.journal(), live.journal(), StandardCopyOption.REPLACE_EXISTING);
    assertEquals(left.commits, recover(live));
  }

  /**
   * The journal, or the folder, was restored from a backup. A checkpoint lies between the two, or
   * even a whole round of the ring.
   */
  public void testOlder() throws IOException {
    for (int commits : new int[] {1, 5, 150}) {
      List<Left> seen = history("cklcclckc" + "cccck".repeat(commits) + "ccl");
      Left newer = seen.getLast();
      checkRecoveredOrRefused(seen.get(0), newer);
      checkRefused(newer, seen.get(1), newer);
      IOUtils.rm(live().path);
    }
  }

  /** What a power cut leaves of a closed folder opens with another journal. */
  public void testCutAfterClose() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory directory = open(world)) {
      addOne(directory);
    }
    for (int i = 0; i < 20; i++) {
      try (CommitJournal other = CommitJournal.open(path(), RING_BYTES);
          Directory directory =
              new NrtCacheDirectory(world.cut().disks().getFirst(), 1, 4, other)) {
        assertEquals(1, numDocs(directory));
      }
    }
  }

  /** A folder that was copied when it was closed gets the commits since, or is refused. */
  public void testRestoredClosedFolder() throws IOException {
    for (String since : List.of("cl", "cccl", "ckl", "ckcl", "cckcccl")) {
      IOUtils.rm(live().path);
      history("cc");
      Left closed = copy(live(), 2);
      Left left = history(since).getLast();
      checkRecoveredOrRefused(closed, left);
    }
  }

  /** Else the commits would go to the copy, and the original would have lost them. */
  public void testCopiedFolder() throws IOException {
    Left left = history("cckccl").getFirst();
    Left live = put(left, left);
    Path copied = path();
    copyFolder(live.folder(), copied);
    expectError(live.folder().toString(), () -> open(live.journal(), copied));
    assertEquals(left.commits, recover(live));
  }

  public void testEmptiedFolder() throws IOException {
    for (String steps : List.of("cccl", "cccckccl")) {
      Left left = history(steps).getFirst();
      Left empty = copy(left, left.commits);
      IOUtils.rm(empty.folder());
      Files.createDirectories(empty.folder());
      checkRefused(empty, left, left);
      IOUtils.rm(live().path);
    }
  }

  public void testForeignCommit() throws IOException {
    Left left = history("cckccl").getFirst();
    Left foreign = copy(left, left.commits);
    try (Directory directory = new NioDirectory(foreign.folder());
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.deleteAll();
      writer.addDocument(document(0));
    }
    checkRefused(foreign, left, left);
    // Given up on purpose, its commits are gone, and those of the other writer are kept.
    Left live = put(foreign, left);
    try (CommitJournal journal = CommitJournal.open(live.journal())) {
      assertEquals(List.of(live.folder().toString()), List.copyOf(journal.unrecoveredFolders()));
      journal.discard(live.folder().toString());
      assertEquals(0, journal.unrecoveredFolders().size());
    }
    assertEquals(1, recover(live));
  }

  /** All commits are in the folder, so others may write there. */
  public void testForeignCommitAfterCheckpoint() throws IOException {
    Left left = history("ccckl").getFirst();
    Left live = put(left, left);
    try (Directory directory = new NioDirectory(live.folder());
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(document(left.commits));
    }
    assertEquals(left.commits + 1, recover(live));
  }
}
