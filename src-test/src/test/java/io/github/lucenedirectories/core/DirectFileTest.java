package io.github.lucenedirectories.core;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.NothingLeft;
import io.github.lucenedirectories.testkit.RepeatCommand;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.Rule;

/** Reads and writes past the page cache, with more files and threads than there are blocks. */
@LuceneTestCase.SuppressFileSystems("*") // what is read natively must be a real file
public class DirectFileTest extends LuceneTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));

  @Rule public final RepeatCommand repeatCommand = new RepeatCommand();
  @Rule public final NothingLeft nothingLeft = new NothingLeft();

  /** A length that is about a multiple of what is read and written at once. */
  private static int someLength() {
    int pieces = random().nextInt(6);
    int about = random().nextInt(5);
    int length =
        pieces * DirectMemory.PIECE_BYTES
            + switch (about) {
              case 0 -> 0;
              case 1 -> random().nextInt(3) - 1;
              case 2 -> FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
              case 3 -> -FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
              default -> random().nextInt(DirectMemory.PIECE_BYTES);
            };
    return Math.max(0, length);
  }

  private static NativeTarget target(Path path) {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    return NativeTarget.of(path).orElseThrow();
  }

  private static NativeFile open(Path path) throws IOException {
    return NativeFile.open(path, target(path), DirectMerges.NEVER);
  }

  /** Whether files of tests can be read and written past the cache at all. */
  private static boolean canBeDirect(Path path) throws IOException {
    try (NativeFile file = open(path);
        NativeFile direct = file.openDirect()) {
      return direct.length() == file.length();
    } catch (IOException e) {
      return false;
    }
  }

  public void testReads() throws Exception {
    DirectBlocks blocks = new DirectBlocks(1 + random().nextInt(8));
    int files = 1 + random().nextInt(3);
    List<byte[]> contents = new ArrayList<>();
    List<NativeFile> plain = new ArrayList<>();
    List<DirectFile> direct = new ArrayList<>();
    boolean possible = false;
    for (int i = 0; i < files; i++) {
      Path path = createTempFile();
      byte[] bytes = DirectorySuite.randomBytes(1 + someLength());
      Files.write(path, bytes);
      possible = canBeDirect(path);
      contents.add(bytes);
      plain.add(open(path));
      direct.add(new DirectFile(plain.get(i), blocks));
    }
    long opened = PathCounter.DIRECT_READ_FILE.count();
    inThreads(
        seed -> {
          Random random = new Random(seed);
          int file = random.nextInt(files);
          byte[] bytes = contents.get(file);
          int pos = random.nextBoolean() ? 0 : random.nextInt(bytes.length);
          while (pos < bytes.length) {
            int n = Math.min(bytes.length - pos, 1 + random.nextInt(100_000));
            byte[] read = new byte[n + 2];
            direct.get(file).read(pos, read, 1, n);
            assertArrayEquals(
                Arrays.copyOfRange(bytes, pos, pos + n), Arrays.copyOfRange(read, 1, n + 1));
            pos += n;
          }
        });
    assertEquals(possible, PathCounter.DIRECT_READ_FILE.count() > opened);
    for (int i = 0; i < files; i++) {
      direct.get(i).close();
      plain.get(i).close();
      DirectFile closed = direct.get(i);
      expectThrows(AlreadyClosedException.class, () -> closed.read(0, new byte[1], 0, 1));
    }
    // What was on its way ahead of the readers may still arrive.
    for (int i = 0; i < 1_000 && blocks.held() > 0; i++) {
      Thread.sleep(1);
    }
    assertEquals(0, blocks.held());
  }

  /** What a reader has left behind is not kept. */
  public void testHoldsWhatComesNext() throws IOException {
    byte[] bytes = DirectorySuite.randomBytes(20 * DirectMemory.PIECE_BYTES + random().nextInt(9));
    Path path = createTempFile();
    Files.write(path, bytes);
    assumeTrue("reads past the cache", canBeDirect(path));
    DirectBlocks blocks = new DirectBlocks(128);
    try (NativeFile plain = open(path);
        DirectFile direct = new DirectFile(plain, blocks)) {
      for (int pass = 0; pass < 2; pass++) {
        byte[] read = new byte[50_000];
        for (int pos = 0; pos < bytes.length; pos += read.length) {
          int n = Math.min(read.length, bytes.length - pos);
          direct.read(pos, read, 0, n);
          assertTrue("held=" + blocks.held(), blocks.held() <= 5);
        }
        assertEquals(0, blocks.held());
      }
    }
  }

  /** A merge says of an input that queries share that it begins: their reads stay as they were. */
  public void testQueriesBesideAMerge() throws IOException {
    int length = 20 * DirectMemory.PIECE_BYTES;
    byte[] bytes = DirectorySuite.randomBytes(length);
    Path folder = createTempDir();
    try (Directory directory = NioDirectory.builder(folder).directMergeBytes(1).build()) {
      DirectorySuite.write(directory, "file", bytes);
      assumeTrue("reads past the cache", canBeDirect(folder.resolve("file")));
      IOContext vectors =
          IOContext.DEFAULT.withHints(DataAccessHint.RANDOM, FileDataHint.KNN_VECTORS);
      try (IndexInput in = directory.openInput("file", vectors)) {
        long opened = PathCounter.DIRECT_READ_FILE.count();
        in.updateIOContext(vectors.withHints(DataAccessHint.SEQUENTIAL));
        IndexInput query = random().nextBoolean() ? in.clone() : in.slice("query", 0, length);
        byte[] read = new byte[400];
        int pos = 0;
        for (int i = 0; i < 100; i++) {
          pos = 10_000 + (pos + random().nextInt(length / 2)) % (length - 20_000);
          query.seek(pos);
          query.readBytes(read, 0, read.length);
          assertArrayEquals(Arrays.copyOfRange(bytes, pos, pos + read.length), read);
        }
        // The next query begins at the file's beginning, and reads two values near each other.
        query = in.clone();
        for (int at : new int[] {random().nextInt(1_000), 2_000}) {
          query.seek(at);
          query.readBytes(read, 0, read.length);
          assertArrayEquals(Arrays.copyOfRange(bytes, at, at + read.length), read);
        }
        assertEquals(opened, PathCounter.DIRECT_READ_FILE.count());
        IndexInput merge = in.slice("merge", 0, length);
        byte[] all = new byte[length];
        for (int at = 0; at < length; at += 1 << 16) {
          merge.readBytes(all, at, 1 << 16);
        }
        assertArrayEquals(bytes, all);
        assertEquals(opened + 1, PathCounter.DIRECT_READ_FILE.count());
      }
    }
  }

  public void testMemoryGoesBackToTheSystem() {
    assumeTrue("needs native access", NativeCalls.get().isPresent());
    List<MemorySegment> pieces = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      MemorySegment piece = DirectMemory.take();
      piece.fill((byte) 1);
      pieces.add(piece);
    }
    assertEquals(40, pieces.stream().map(MemorySegment::address).distinct().count());
    pieces.forEach(DirectMemory::giveBack);
    NativeCalls calls = NativeCalls.get().orElseThrow();
    long resident = pieces.stream().filter(piece -> calls.isResident(piece).orElseThrow()).count();
    assertTrue("resident=" + resident, resident <= DirectMemory.kept());
    assertTrue("kept=" + DirectMemory.kept(), DirectMemory.kept() <= 8);
  }

  /** What is done by several threads at once. */
  private interface Work {
    void run(long seed) throws Exception;
  }

  private static void inThreads(Work work) throws Exception {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long seed = random().nextLong();
      tasks.add(
          () -> {
            work.run(seed);
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    }
  }

  /** An open file is read on, whatever has its name now. */
  public void testAnotherFileOfTheName() throws IOException {
    Path path = createTempFile();
    byte[] bytes = DirectorySuite.randomBytes(500_000);
    Files.write(path, bytes);
    try (NativeFile plain = open(path);
        DirectFile direct = new DirectFile(plain, new DirectBlocks(4))) {
      Files.delete(path);
      Files.write(path, new byte[bytes.length]);
      byte[] read = new byte[bytes.length];
      direct.read(0, read, 0, read.length);
      assertArrayEquals(bytes, read);
    }
  }

  /** A close in the middle of reads lets each of them return the file's bytes or throw. */
  public void testCloseDuringReads() throws Exception {
    byte[] bytes = DirectorySuite.randomBytes(3_000_000);
    Path path = createTempFile();
    Files.write(path, bytes);
    for (int round = 0; round < 20; round++) {
      DirectBlocks blocks = new DirectBlocks(6);
      NativeFile plain = open(path);
      DirectFile direct = new DirectFile(plain, blocks);
      CountDownLatch begun = new CountDownLatch(1);
      Thread reader =
          new Thread(
              () -> {
                byte[] read = new byte[50_000];
                try {
                  for (int pos = 0; pos + read.length <= bytes.length; pos += read.length) {
                    direct.read(pos, read, 0, read.length);
                    begun.countDown();
                    assertEquals(
                        -1, Arrays.mismatch(read, Arrays.copyOfRange(bytes, pos, pos + 50_000)));
                  }
                } catch (AlreadyClosedException e) {
                  begun.countDown();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      List<Throwable> failures = new ArrayList<>();
      reader.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
      reader.start();
      begun.await();
      plain.close();
      direct.close();
      reader.join();
      assertEquals(List.of(), failures);
    }
  }

  public void testWrites() throws IOException {
    Path folder = createTempDir();
    try (Directory directory = NioDirectory.builder(folder).directMergeBytes(1).build()) {
      for (int i = 0; i < 20; i++) {
        byte[] bytes = DirectorySuite.randomBytes(someLength());
        long direct = PathCounter.DIRECT_WRITE_FILE.count();
        try (IndexOutput out = directory.createOutput("file" + i, MERGE)) {
          for (int pos = 0; pos < bytes.length; ) {
            int n = Math.min(bytes.length - pos, 1 + random().nextInt(400_000));
            out.writeBytes(bytes, pos, n);
            pos += n;
          }
          assertEquals(bytes.length, out.getFilePointer());
        }
        directory.sync(List.of("file" + i));
        assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("file" + i)));
        boolean possible = NativeCalls.get().isPresent() && canBeDirect(folder.resolve("file" + i));
        assertEquals(possible, PathCounter.DIRECT_WRITE_FILE.count() > direct);
      }
    }
  }

  /** What the device does not take is not called written. */
  public void testFailedWrites() throws IOException {
    Path path = createTempDir().resolve("file");
    NativeTarget target = target(path);
    FileCalls calls = target.calls();
    Path readable = createTempFile();
    DirectIndexOutput out =
        new DirectIndexOutput(
            path,
            calls,
            FileIndexOutput.newFile(path),
            calls.openForRead(NativePath.of(readable).orElseThrow()),
            calls.openForRead(target.path()));
    int length = DirectMemory.PIECE_BYTES * (1 + random().nextInt(9));
    IOException e =
        expectThrows(
            IOException.class,
            () -> {
              try (out) {
                out.writeBytes(new byte[length], length);
              }
            });
    assertTrue(String.valueOf(e.getCause()), String.valueOf(e.getCause()).contains("pwrite"));
  }
}
