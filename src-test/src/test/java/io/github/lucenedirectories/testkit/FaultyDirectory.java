package io.github.lucenedirectories.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.jspecify.annotations.Nullable;

/** A small correct directory on the heap, but for one {@link PlantedFault}: it tests the tests. */
final class FaultyDirectory extends BaseDirectory {

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
          getFullSliceDescription(description), bytes, start + (int) offset, (int) count, original);
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
