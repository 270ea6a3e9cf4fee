// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.contract;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.InputView;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Read;
import io.github.lucenedirectories.testkit.StaleRead;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.GroupVIntUtil;

/** Closed means closed: inputs, outputs and directories after their close. */
public class CloseSuite extends DirectorySuite {

  /** How many {@link InputView#of} makes. */
  private static final int VIEWS = 8;

  public CloseSuite(Subject subject) {
    super(subject);
  }

  protected byte[] bytes;
  protected Directory directory;

  /** Opens a directory with a file that is some edges long, and well formed at its start. */
  @Override
  public void setUp() throws Exception {
    super.setUp();
    bytes = randomBytes(2 * subject.edgeBytes() + 100);
    Arrays.fill(bytes, 0, 100, (byte) 1);
    directory = open();
    write(directory, "file", bytes);
  }

  @Override
  public void tearDown() throws Exception {
    directory.close();
    super.tearDown();
  }

  private static List<IOContext> contexts() {
    return List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext());
  }

  public void testClosedOriginal() throws IOException {
    for (IOContext context : contexts()) {
      for (boolean used : new boolean[] {false, true}) {
        IndexInput in = directory.openInput("file", context);
        assertTrue(!used || in.readLong() != 0);
        in.close();
        in.close();
        assertClosed(in);
      }
    }
  }

  public void testClosedCloneOrSliceAlone() throws IOException {
    assumePromised(Promise.CLOSED_PARTS);
    for (IOContext context : contexts()) {
      for (int closed = 1; closed < VIEWS; closed++) {
        try (IndexInput original = directory.openInput("file", context)) {
          List<InputView> views = new ArrayList<>(InputView.of(original, bytes, 5));
          assertEquals(VIEWS, views.size());
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

  /** After the original is closed its clones and slices read their own bytes or throw. */
  public void testCloneOfClosedOriginal() throws Exception {
    int others = 0;
    for (IOContext context : contexts()) {
      for (boolean byAnotherThread : new boolean[] {false, true}) {
        if (byAnotherThread
            && context == IOContext.READONCE
            && !subject.promises().contains(Promise.CLOSED_BY_ANY_THREAD)) {
          continue;
        }
        IndexInput original = directory.openInput("file", context);
        List<InputView> views = InputView.of(original, bytes, 5);
        FutureTask<Void> closing =
            new FutureTask<>(
                () -> {
                  original.close();
                  return null;
                });
        Thread thread = new Thread(closing);
        if (byAnotherThread) {
          thread.start();
          thread.join();
        } else {
          closing.run();
        }
        closing.get();
        assertClosed(original);
        // The first round may well come before the memory is gone, the last does not.
        for (int round = 0; round < 3; round++) {
          for (InputView view : views.subList(1, views.size())) {
            IndexInput in = view.in();
            readUnlessClosed(in, () -> assertArrayEquals(view.bytes(), remaining(in)));
          }
          IndexInput clone = views.get(1).in();
          for (ThrowingRunnable read : reads(clone)) {
            readUnlessClosed(clone, read);
          }
          write(directory, "other" + others++, randomBytes(bytes.length));
        }
      }
    }
  }

  private static void readUnlessClosed(IndexInput in, ThrowingRunnable read) {
    try {
      in.seek(0);
      read.run();
    } catch (AlreadyClosedException expected) {
      StaleRead.refused();
      assertNotNull(expected.getMessage());
    } catch (Throwable e) {
      throw new AssertionError(in + ": " + e, e);
    }
  }

  public void testClosedDirectory() throws IOException {
    assumePromised(Promise.CLOSED_DIRECTORY);
    directory.close();
    directory.close();
    Map<String, ThrowingRunnable> actions =
        Map.of(
            "listAll", directory::listAll,
            "fileLength", () -> directory.fileLength("file"),
            "createOutput", () -> directory.createOutput("new", IOContext.DEFAULT).close(),
            "temporary", () -> directory.createTempOutput("new", "t", IOContext.DEFAULT).close(),
            "openInput", () -> directory.openInput("file", IOContext.DEFAULT).close(),
            "deleteFile", () -> directory.deleteFile("file"),
            "rename", () -> directory.rename("file", "elsewhere"),
            "sync", () -> directory.sync(List.of("file")),
            "syncMetaData", directory::syncMetaData);
    List<String> accepted = new ArrayList<>();
    for (Map.Entry<String, ThrowingRunnable> action : new TreeMap<>(actions).entrySet()) {
      try {
        action.getValue().run();
        accepted.add(action.getKey());
      } catch (AlreadyClosedException expected) {
        assertNotNull(expected.getMessage());
      } catch (Throwable e) {
        accepted.add(action.getKey() + ": " + e);
      }
    }
    assertEquals("not refused by a closed directory", List.of(), accepted);
  }

  /** Inputs that outlive their directory read their own bytes or throw. */
  public void testInputOutlivesDirectory() throws IOException {
    IndexInput original = directory.openInput("file", IOContext.DEFAULT);
    IndexInput clone = original.clone();
    directory.close();
    for (IndexInput in : List.of(original, clone)) {
      readUnlessClosed(in, () -> assertArrayEquals(bytes, remaining(in)));
    }
    original.close();
    assertClosed(original);
  }

  /** An output that outlives its directory, or its file too, may fail, and does no harm. */
  public void testOutputOutlivesDirectory() throws IOException {
    for (int length : new int[] {100, 100_000}) {
      for (boolean deleted : new boolean[] {false, true}) {
        Directory closing = open();
        IndexOutput out = closing.createOutput("file", IOContext.DEFAULT);
        out.writeBytes(randomBytes(length), length);
        try {
          if (deleted) {
            closing.deleteFile("file");
          }
        } catch (AccessDeniedException e) {
          assertNotNull(e.getMessage());
        }
        closing.close();
        try (out) {
          out.writeBytes(randomBytes(100_000), 100_000);
        } catch (IOException | AlreadyClosedException e) {
          assertNotNull(e.getMessage());
        }
      }
    }
  }

  public void testClosedOutput() throws IOException {
    assumePromised(Promise.CLOSED_OUTPUTS);
    IndexOutput out = directory.createOutput("written", IOContext.DEFAULT);
    out.writeBytes(bytes, bytes.length);
    out.close();
    out.close();
    List<Class<? extends Throwable>> refusals = List.of(IOException.class, RuntimeException.class);
    expectThrowsAnyOf(refusals, () -> out.writeByte((byte) 0));
    expectThrowsAnyOf(
        refusals,
        () -> {
          // More than any buffer holds, so that a late write cannot hide.
          out.writeBytes(randomBytes(50_000), 50_000);
          out.writeByte((byte) 0);
        });
    assertArrayEquals(bytes, read(directory, "written"));
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
            () -> in.randomAccessSlice(0, 10).readLong(0)));
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
