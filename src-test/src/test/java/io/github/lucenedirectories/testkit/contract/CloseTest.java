package io.github.lucenedirectories.testkit.contract;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.StaleRead;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters();
  }

  public void testClosedOriginal() throws IOException {
    byte[] bytes = fileContent();
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      for (IOContext context : contexts()) {
        IndexInput fresh = directory.openInput("file", context);
        fresh.close();
        fresh.close();
        assertClosed(fresh);
        IndexInput used = directory.openInput("file", context);
        used.readLong();
        used.close();
        assertClosed(used);
      }
    }
  }

  public void testClosedCloneOrSliceAlone() throws IOException {
    byte[] bytes = fileContent();
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      for (IOContext context : contexts()) {
        int kinds;
        try (IndexInput original = directory.openInput("file", context)) {
          kinds = InputView.of(original, bytes, 5).size();
        }
        for (int closed = 1; closed < kinds; closed++) {
          try (IndexInput original = directory.openInput("file", context)) {
            List<InputView> views = new ArrayList<>(InputView.of(original, bytes, 5));
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
      }
    }
  }

  /** After the original is closed its clones and slices read their own bytes or throw. */
  public void testCloneOfClosedOriginal() throws IOException {
    byte[] bytes = fileContent();
    int others = 0;
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      for (IOContext context : contexts()) {
        List<InputView> views;
        try (IndexInput original = directory.openInput("file", context)) {
          views = InputView.of(original, bytes, 5);
        }
        assertClosed(views.get(0).in());
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
          write(directory, "other" + others++, randomBytes(bytes.length));
        }
      }
    }
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

  public void testClosedFromAnotherThread() throws Exception {
    byte[] bytes = fileContent();
    try (Directory directory = open()) {
      write(directory, "file", bytes);
      for (IOContext context : contexts()) {
        IndexInput original = directory.openInput("file", context);
        original.readByte();
        IndexInput clone = original.clone();
        List<Throwable> thrown = new ArrayList<>();
        Thread closer =
            new Thread(
                () -> {
                  try {
                    original.close();
                  } catch (Throwable e) {
                    thrown.add(e);
                  }
                },
                "closer");
        closer.start();
        closer.join();
        assertEquals("a close from another thread throws nothing", List.of(), thrown);
        assertClosed(original);
        try {
          clone.seek(0);
          assertArrayEquals(bytes, remaining(clone));
        } catch (AlreadyClosedException expected) {
          StaleRead.refused();
          assertNotNull(expected.getMessage());
        }
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

  /** An output that outlives its directory may fail, and does no harm. */
  public void testOutputOutlivesDirectory() throws IOException {
    Directory directory = open();
    IndexOutput out = directory.createOutput("file", IOContext.DEFAULT);
    out.writeBytes(randomBytes(100), 100);
    directory.close();
    try (out) {
      out.writeBytes(randomBytes(100_000), 100_000);
    } catch (IOException | AlreadyClosedException e) {
      assertNotNull(e.getMessage());
    }
  }

  /** So does one whose file is deleted before. */
  public void testOutputOfDeletedFileOutlivesDirectory() throws IOException {
    for (int length : new int[] {100, 100_000}) {
      Directory directory = open();
      IndexOutput out = directory.createOutput("file", IOContext.DEFAULT);
      out.writeBytes(randomBytes(length), length);
      try {
        directory.deleteFile("file");
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

  private static List<IOContext> contexts() {
    return List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext());
  }

  /** Some edges long, and whatever is read from its start is well formed. */
  private byte[] fileContent() {
    byte[] bytes = randomBytes(2 * Math.min(subject.capabilities().edgeBytes(), 1 << 16) + 100);
    Arrays.fill(bytes, 0, 100, (byte) 1);
    return bytes;
  }

  private static List<ThrowingRunnable> reads(IndexInput in) {
    List<ThrowingRunnable> reads = new ArrayList<>();
    if (in instanceof RandomAccessInput access) {
      reads.addAll(
          List.of(
              () -> access.readByte(0),
              () -> access.readShort(0),
              () -> access.readInt(0),
              () -> access.readLong(0),
              () -> access.readBytes(0, new byte[10], 0, 10)));
    }
    reads.addAll(
        List.of(
            in::readByte,
            in::readShort,
            in::readInt,
            in::readLong,
            in::readVInt,
            in::readVLong,
            in::readString,
            () -> in.readBytes(new byte[10], 0, 10),
            () -> in.readBytes(new byte[10], 0, 10, false),
            () -> in.readInts(new int[2], 0, 2),
            () -> in.readLongs(new long[2], 0, 2),
            () -> in.readFloats(new float[2], 0, 2),
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
