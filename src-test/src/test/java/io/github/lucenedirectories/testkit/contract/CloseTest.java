package io.github.lucenedirectories.testkit.contract;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.StaleRead;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.GroupVIntUtil;

/** Closed means closed: inputs, outputs and directories after their close. */
public class CloseTest extends DirectorySuite {

  public CloseTest(DirectoryUnderTest subject) {
    super(subject);
  }

  /** What is done with a file that is opened in each kind of context. */
  private interface Work {
    void on(Directory directory, byte[] bytes, IOContext context) throws Exception;
  }

  private void inEachContext(Work work) throws Exception {
    byte[] bytes = fileContent();
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      for (IOContext context : List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext())) {
        work.on(directory, bytes, context);
      }
    }
  }

  public void testClosedOriginal() throws Exception {
    inEachContext(
        (directory, bytes, context) -> {
          for (boolean used : new boolean[] {false, true}) {
            IndexInput in = directory.openInput("file", context);
            assertTrue(!used || in.readLong() != 0);
            in.close();
            in.close();
            assertClosed(in);
          }
        });
  }

  public void testClosedCloneOrSliceAlone() throws Exception {
    inEachContext(
        (directory, bytes, context) -> {
          int kinds = 2;
          for (int closed = 1; closed < kinds; closed++) {
            try (IndexInput original = directory.openInput("file", context)) {
              List<InputView> views = new ArrayList<>(InputView.of(original, bytes, 5));
              kinds = views.size();
              IndexInput in = views.remove(closed).in();
              IndexInput child = in.clone();
              in.close();
              in.close();
              assertClosed(in);
              for (InputView other : views) {
                other.in().seek(0);
                assertArrayEquals(other.toString(), other.bytes(), remaining(other.in()));
              }
              // The close of a clone says nothing about a clone that was made of it before.
              child.seek(0);
              assertEquals(child.length(), remaining(child).length);
            }
          }
        });
  }

  /** After the original is closed its clones and slices read their own bytes or throw. */
  public void testCloneOfClosedOriginal() throws Exception {
    AtomicInteger others = new AtomicInteger();
    inEachContext(
        (directory, bytes, context) -> {
          for (boolean byAnotherThread : new boolean[] {false, true}) {
            IndexInput original = directory.openInput("file", context);
            List<InputView> views = InputView.of(original, bytes, 5);
            if (byAnotherThread) {
              FutureTask<Void> close =
                  new FutureTask<>(
                      () -> {
                        original.close();
                        return null;
                      });
              Thread closer = new Thread(close, "closer");
              closer.start();
              closer.join();
              close.get();
            } else {
              original.close();
            }
            assertClosed(original);
            for (int round = 0; round < 3; round++) {
              for (InputView view : views.subList(1, views.size())) {
                try {
                  view.in().seek(0);
                  assertArrayEquals(view.toString(), view.bytes(), remaining(view.in()));
                } catch (AlreadyClosedException expected) {
                  StaleRead.refused();
                  assertNotNull(expected.getMessage());
                }
              }
              write(directory, "other" + others.incrementAndGet(), randomBytes(bytes.length));
            }
          }
        });
  }

  /** Whatever reads a clone of a closed file either reads it or says that it is closed. */
  public void testEveryReadOfCloneOfClosedOriginal() throws Throwable {
    try (Directory directory = open()) {
      write(directory, "file", fileContent());
      IndexInput clone;
      try (IndexInput original = directory.openInput("file", anyContext())) {
        clone = original.clone();
      }
      // The first pass may well come before the memory is gone, the last does not where it goes.
      for (int pass = 0; pass < 3; pass++) {
        for (ThrowingRunnable read : reads(clone)) {
          try {
            clone.seek(0);
            read.run();
          } catch (AlreadyClosedException expected) {
            StaleRead.refused();
          }
        }
        write(directory, "other" + pass, fileContent());
      }
    }
  }

  public void testClosedDirectory() throws IOException {
    Directory directory = open();
    write(directory, "file", randomBytes(10));
    directory.close();
    directory.close();
    for (ThrowingRunnable action :
        List.<ThrowingRunnable>of(
            directory::listAll,
            () -> directory.fileLength("file"),
            () -> directory.createOutput("new", IOContext.DEFAULT).close(),
            () -> directory.createTempOutput("new", "temp", IOContext.DEFAULT).close(),
            () -> directory.openInput("file", IOContext.DEFAULT).close(),
            () -> directory.deleteFile("file"),
            () -> directory.rename("file", "elsewhere"),
            () -> directory.sync(List.of("file")),
            directory::syncMetaData)) {
      expectThrows(AlreadyClosedException.class, action);
    }
  }

  /** Inputs that outlive their directory read their own bytes or throw. */
  public void testInputOutlivesDirectory() throws IOException {
    byte[] bytes = fileContent();
    Directory directory = open();
    write(directory, "file", bytes);
    IndexInput original = directory.openInput("file", IOContext.DEFAULT);
    IndexInput clone = original.clone();
    directory.close();
    for (IndexInput in : List.of(original, clone)) {
      try {
        assertArrayEquals(bytes, remaining(in));
      } catch (AlreadyClosedException expected) {
        assertNotNull(expected.getMessage());
      }
    }
    original.close();
    assertClosed(original);
  }

  /** An output that outlives its directory, or its file too, may fail, and does no harm. */
  public void testOutputOutlivesDirectory() throws IOException {
    for (int length : new int[] {100, 100_000}) {
      for (boolean deleted : new boolean[] {false, true}) {
        Directory directory = open();
        IndexOutput out = directory.createOutput("file", IOContext.DEFAULT);
        out.writeBytes(randomBytes(length), length);
        try {
          if (deleted) {
            directory.deleteFile("file");
          }
        } catch (AccessDeniedException e) {
          assertNotNull(e.getMessage());
        }
        directory.close();
        try (out) {
          out.writeBytes(randomBytes(100_000), 100_000);
        } catch (IOException | AlreadyClosedException e) {
          assertNotNull(e.getMessage());
        }
      }
    }
  }

  public void testClosedOutput() throws IOException {
    byte[] bytes = randomBytes(50_000);
    try (Directory directory = open()) {
      IndexOutput out = directory.createOutput("file", IOContext.DEFAULT);
      out.writeBytes(bytes, bytes.length);
      out.close();
      out.close();
      expectThrowsAnyOf(
          List.of(IOException.class, RuntimeException.class), () -> out.writeByte((byte) 0));
      try {
        // More than any buffer holds, so that a late write cannot hide.
        out.writeBytes(randomBytes(50_000), 50_000);
        out.writeByte((byte) 0);
        fail("a closed output takes no bytes");
      } catch (IOException | RuntimeException expected) {
        assertEquals(bytes.length, directory.fileLength("file"));
      }
      assertArrayEquals(bytes, read(directory, "file"));
    }
  }

  /** A file that was deleted or renamed stays readable for those who have it open. */
  public void testOpenFileSurvivesDeleteAndRename() throws IOException {
    byte[] bytes = fileContent();
    try (Directory directory = open()) {
      for (boolean rename : new boolean[] {true, false}) {
        write(directory, "file", bytes);
        try (IndexInput in = directory.openInput("file", anyContext())) {
          IndexInput clone = in.clone();
          if (rename) {
            directory.rename("file", "elsewhere");
          } else {
            directory.deleteFile("file");
          }
          write(directory, "file", randomBytes(bytes.length));
          assertArrayEquals(bytes, remaining(in));
          assertArrayEquals(bytes, remaining(clone));
          assertArrayEquals(bytes, remaining(in.slice("slice", 0, bytes.length)));
        }
        directory.deleteFile("file");
      }
      assertArrayEquals(bytes, read(directory, "elsewhere"));
    }
  }

  /** Some edges long, and whatever is read from its start is well formed. */
  private byte[] fileContent() {
    byte[] bytes = randomBytes(2 * subject.capabilities().edgeBytes() + 100);
    Arrays.fill(bytes, 0, 100, (byte) 1);
    return bytes;
  }

  private static List<ThrowingRunnable> reads(IndexInput in) {
    List<ThrowingRunnable> reads = new ArrayList<>();
    for (Read read : Read.values()) {
      if (in instanceof RandomAccessInput access && read.isPositional()) {
        reads.add(() -> read.at(access, 0, 2));
      }
      reads.add(() -> read.next(in, 2));
    }
    reads.addAll(
        List.of(
            in::readVInt,
            in::readVLong,
            in::readString,
            () -> GroupVIntUtil.readGroupVInts(in, new int[8], 8),
            () -> {
              in.seek(0);
              in.readByte();
            },
            () -> {
              in.skipBytes(1);
              in.readByte();
            },
            () -> assertNotNull(in.clone()),
            () -> in.slice("slice", 0, 1),
            () -> in.slice("slice", 0, 1, IOContext.DEFAULT),
            () -> {
              RandomAccessInput slice = in.randomAccessSlice(0, 10);
              slice.readLong(0);
            }));
    return reads;
  }

  private static void assertClosed(IndexInput in) {
    for (ThrowingRunnable read : reads(in)) {
      expectThrows(AlreadyClosedException.class, "closed: " + in, read);
    }
    // These have nothing to read; they must not do harm.
    try {
      in.prefetch(0, 1);
      in.updateIOContext(IOContext.DEFAULT);
      in.isLoaded();
    } catch (IOException | AlreadyClosedException e) {
      assertNotNull(e.getMessage());
    }
  }
}
