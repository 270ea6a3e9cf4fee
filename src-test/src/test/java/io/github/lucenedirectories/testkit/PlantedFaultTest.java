package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.Capabilities.Storage;
import io.github.lucenedirectories.testkit.model.ModelRun;
import io.github.lucenedirectories.testkit.race.CloseRace;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.jspecify.annotations.Nullable;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/** Plants faults in a directory, and expects the kit to find each and nothing else. */
public class PlantedFaultTest extends LibraryTestCase {

  private static DirectoryUnderTest with(PlantedFault fault) {
    return new DirectoryUnderTest(
        fault.name(),
        path -> new FaultyDirectory(fault),
        new Capabilities(
            Storage.MEMORY,
            Loaded.AS_CACHED,
            false,
            Capabilities.CONTIGUOUS,
            FaultyDirectory.EDGE_BYTES,
            Set.of(),
            Set.of()),
        null);
  }

  private static void model(PlantedFault fault) throws Exception {
    new ModelRun(with(fault), createTempDir(), random().nextLong()).run(4_000);
  }

  private static void race(PlantedFault fault) throws Exception {
    try (Directory directory = new FaultyDirectory(fault)) {
      new CloseRace(directory, random().nextLong(), 600).run();
    }
  }

  public void testNothingIsFoundWhereNothingIsWrong() throws Exception {
    model(PlantedFault.NONE);
    race(PlantedFault.NONE);
  }

  public void testModelFindsFaults() {
    for (PlantedFault fault :
        List.of(
            PlantedFault.WRONG_BYTE_AT_EDGE,
            PlantedFault.FORGOTTEN_END,
            PlantedFault.IGNORED_CLOSE,
            PlantedFault.UNDELETED,
            PlantedFault.CLONE_AT_START)) {
      expectThrows(AssertionError.class, "not found: " + fault, () -> model(fault));
    }
  }

  public void testRaceFindsIgnoredClose() {
    AssertionError e = expectThrows(AssertionError.class, () -> race(PlantedFault.IGNORED_CLOSE));
    assertTrue(e.toString(), e.toString().contains("closed, yet it reads"));
  }

  public void testRaceFindsRecycledMemory() {
    AssertionError e = expectThrows(AssertionError.class, () -> race(PlantedFault.RECYCLED_MEMORY));
    // In the first word of a file or in a later one.
    assertTrue(e.toString(), e.toString().matches("(?s).*(begins with id|word \\d+ of file).*"));
  }

  public void testLeakedResourceIsFound() {
    try {
      expectThrows(
          AssertionError.class, () -> nothingLeftAfter(() -> LiveResource.DESCRIPTORS.add(1)));
    } finally {
      LiveResource.DESCRIPTORS.add(-1);
    }
  }

  public void testLeakedThreadIsFound() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            },
            "leaked");
    try {
      expectThrows(AssertionError.class, () -> nothingLeftAfter(thread::start));
    } finally {
      end.countDown();
      thread.join();
    }
  }

  private static void nothingLeftAfter(Runnable work) throws Throwable {
    Statement statement =
        new Statement() {
          @Override
          public void evaluate() {
            work.run();
          }
        };
    new NothingLeft().apply(statement, Description.EMPTY).evaluate();
  }

  /** A mistake that {@link FaultyDirectory} makes on purpose. */
  private enum PlantedFault {
    /** No mistake. */
    NONE,
    /** A bulk read over the edge of a block returns one wrong byte. */
    WRONG_BYTE_AT_EDGE,
    /** A read just before the end of the file goes past it. */
    FORGOTTEN_END,
    /** A closed input goes on reading. */
    IGNORED_CLOSE,
    /** The memory of a closed file holds the next file while clones of the old one still read. */
    RECYCLED_MEMORY,
    /** A deleted file is still listed. */
    UNDELETED,
    /** A clone begins at the start instead of where it was made. */
    CLONE_AT_START
  }

  /**
   * A small correct directory on the heap, but for one {@link PlantedFault}: it tests the tests.
   */
  private static final class FaultyDirectory extends BaseDirectory {

    static final int EDGE_BYTES = 1 << 10;

    /** What a file holds while its output is open. */
    private static final byte[] UNFINISHED = new byte[0];

    private final PlantedFault fault;
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final ConcurrentLinkedDeque<byte[]> recycled = new ConcurrentLinkedDeque<>();
    private final AtomicLong temporary = new AtomicLong();

    FaultyDirectory(PlantedFault fault) {
      super(new SingleInstanceLockFactory());
      this.fault = fault;
    }

    @Override
    public String[] listAll() {
      ensureOpen();
      return files.keySet().stream().sorted().toArray(String[]::new);
    }

    private byte[] file(String name) throws IOException {
      ensureOpen();
      byte[] bytes = files.get(name);
      if (bytes == null) {
        throw new NoSuchFileException(name);
      }
      return bytes;
    }

    @Override
    public void deleteFile(String name) throws IOException {
      file(name);
      if (fault != PlantedFault.UNDELETED) {
        files.remove(name);
      }
    }

    @Override
    public long fileLength(String name) throws IOException {
      return file(name).length;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      ensureOpen();
      if (files.putIfAbsent(name, UNFINISHED) != null) {
        throw new FileAlreadyExistsException(name);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      OutputStream publishing =
          new OutputStream() {
            @Override
            public void write(int b) {
              bytes.write(b);
            }

            @Override
            public void write(byte[] b, int offset, int length) {
              bytes.write(b, offset, length);
            }

            @Override
            public void close() {
              files.replace(name, UNFINISHED, place(bytes.toByteArray()));
            }
          };
      return new OutputStreamIndexOutput("faulty " + name, name, publishing, 512);
    }

    /** Memory for a finished file: with the fault, that of a closed file of the same length. */
    private byte[] place(byte[] bytes) {
      byte[] old = recycled.poll();
      if (old == null || old.length != bytes.length) {
        return bytes;
      }
      System.arraycopy(bytes, 0, old, 0, bytes.length);
      return old;
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      return createOutput(getTempFileName(prefix, suffix, temporary.getAndIncrement()), context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      for (String name : names) {
        file(name);
      }
    }

    @Override
    public void syncMetaData() {
      ensureOpen();
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      files.put(dest, file(source));
      files.remove(source);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      byte[] bytes = file(name);
      if (bytes == UNFINISHED) {
        throw new AccessDeniedException(name);
      }
      return new Input(name, bytes, 0, bytes.length, null);
    }

    @Override
    public void close() {
      isOpen = false;
    }

    @Override
    public Set<String> getPendingDeletions() {
      return Set.of();
    }

    /** An input over an array; a clone or slice has the input that was opened as its original. */
    private final class Input extends IndexInput {
      private final byte[] bytes;
      private final int start;
      private final int length;
      private final Input original;
      private int pos;
      private volatile boolean closed;

      Input(String description, byte[] bytes, int start, int length, @Nullable Input original) {
        super(description);
        this.bytes = bytes;
        this.start = start;
        this.length = length;
        this.original = original == null ? this : original;
      }

      private void ensureOpen() {
        boolean staleAllowed = fault == PlantedFault.RECYCLED_MEMORY && original != this;
        if ((closed || (original.closed && !staleAllowed)) && fault != PlantedFault.IGNORED_CLOSE) {
          throw new AlreadyClosedException(toString());
        }
      }

      @Override
      public void readBytes(byte[] target, int offset, int count) throws IOException {
        ensureOpen();
        int slack = fault == PlantedFault.FORGOTTEN_END ? 1 : 0;
        if (count > length - pos + slack) {
          throw new EOFException(toString());
        }
        byte[] read = Arrays.copyOfRange(bytes, start + pos, start + pos + count);
        boolean overEdge =
            count > 8 && (start + pos) / EDGE_BYTES != (start + pos + count) / EDGE_BYTES;
        if (overEdge && fault == PlantedFault.WRONG_BYTE_AT_EDGE) {
          read[count - 1] ^= 1;
        }
        System.arraycopy(read, 0, target, offset, count);
        pos += count;
      }

      @Override
      public byte readByte() throws IOException {
        byte[] one = new byte[1];
        readBytes(one, 0, 1);
        return one[0];
      }

      @Override
      public long getFilePointer() {
        return pos;
      }

      @Override
      public void seek(long to) throws IOException {
        ensureOpen();
        if (to < 0 || to > length) {
          throw new EOFException(toString());
        }
        pos = (int) to;
      }

      @Override
      public long length() {
        return length;
      }

      @Override
      public IndexInput clone() {
        ensureOpen();
        Input clone = new Input(toString(), bytes, start, length, original);
        clone.pos = fault == PlantedFault.CLONE_AT_START ? 0 : pos;
        return clone;
      }

      @Override
      public IndexInput slice(String description, long offset, long count) {
        ensureOpen();
        if (offset < 0 || count < 0 || count > length - offset) {
          throw new IllegalArgumentException(toString());
        }
        return new Input(
            getFullSliceDescription(description),
            bytes,
            start + (int) offset,
            (int) count,
            original);
      }

      @Override
      public void close() {
        if (!closed && original == this && fault == PlantedFault.RECYCLED_MEMORY) {
          recycled.add(bytes);
        }
        closed = true;
      }
    }
  }
}
