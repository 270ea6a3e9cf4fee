// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.Events.Sync;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A ring of records in a preallocated file. {@link #append} returns when the record is durable;
 * records that arrive during a write go into the next one together.
 */
final class JournalFile implements Closeable {

  /*
   * Format, all numbers little-endian. The first block holds MAGIC, the id, the bytes of the ring
   * and a CRC-32C of these. The ring follows. It holds batches, each written by one device write
   * and beginning with a block: a CRC-32C of all that follows it in the batch, the bytes of the
   * records, the id, the position of the batch, the position after the batch before, the tail, and
   * the records.
   *
   * A position counts the bytes that have passed through the ring, so it tells a batch from an
   * older one in the same place. A batch does not go round the end: the next one begins a lap where
   * it would. The tail is the position of the oldest batch that is still needed. A batch is not
   * overwritten before a batch with a later tail is durable.
   *
   * One batch is written at a time. So after a crash only the last one can be incomplete, and a gap
   * before a complete one is damage.
   */

  static final int BLOCK_BYTES = FileCalls.DIRECT_BYTES;
  static final long MIN_RING_BYTES = 1 << 18;

  private static final int HEADER_BYTES = 5 * Long.BYTES + 2 * Integer.BYTES;
  private static final int MAX_BATCH_BYTES = 4 << 20;

  /** A part of the ring that is worth a checkpoint. */
  private static final int FREED_SHARE = 8;

  /** Seven letters, then the version as a digit. */
  private static final long MAGIC = 0x314c4e524a43554cL;

  private final Path path;
  private final Directory folder;
  private final Lock lock;
  private final Path lockFile;
  private final FileTime lockMade;
  private final UUID id;
  private final long ringBytes;
  private final int maxBatchBytes;
  private final Arena memory = Arena.ofShared();
  private final String writes;
  private final BlockWriter writer;

  /** The batch that is written. Used by the thread that has set {@link #writing}. */
  private final ByteBuffer buffer;

  // The fields below are guarded by this monitor.

  /** The records that wait for the next batch. */
  private final Queue<Waiting> queue = new ArrayDeque<>();

  /** The number of records that ever waited. */
  private long queued;

  /** The number of these that are durable. */
  private long durable;

  /** Whether a thread writes a batch. */
  private boolean writing;

  private long head;
  private long durableHead;
  private long durableTail;
  private boolean closed;

  /** Whether an index needs less than when the file was opened. */
  private boolean settled;

  private @Nullable IOException failure;
  private long batches;
  private long writtenBytes;

  /** The indexes that need records. */
  private final Map<UUID, Need> needs = new HashMap<>();

  /** The positions of the oldest and the newest batch that an index needs, and its folder. */
  private record Need(String folder, long first, long last) {}

  /** An encoded record. */
  private record Waiting(UUID index, String folder, ByteBuffer bytes) {
    long cost() {
      return inBlocks(HEADER_BYTES + bytes.remaining());
    }
  }

  private record Batch(long position, long previous, long tail, int bytes) {
    long end() {
      return position + inBlocks(HEADER_BYTES + bytes);
    }
  }

  /**
   * Opens a journal, or creates it.
   *
   * @param newRingBytes how many bytes a new ring has; one that exists keeps its own
   * @param wrap may replace the writer
   * @throws org.apache.lucene.store.LockObtainFailedException if it is in use
   * @throws IndexFormatTooNewException if a later release has made it
   * @throws CorruptIndexException if it is damaged before its end
   */
  static JournalFile open(Path path, long newRingBytes, UnaryOperator<BlockWriter> wrap)
      throws IOException {
    Path named = path.toAbsolutePath().normalize();
    // Else a link and its target would have a lock each.
    Path file = Files.isSymbolicLink(named) ? named.toRealPath() : named;
    Path folder = file.getParent();
    if (folder == null) {
      throw new IllegalArgumentException("not the path of a file: " + path);
    }
    return Uninterruptibles.call(() -> new JournalFile(file, folder, newRingBytes, wrap));
  }

  private JournalFile(Path path, Path parent, long newRingBytes, UnaryOperator<BlockWriter> wrap)
      throws IOException {
    String name = path.getFileName().toString();
    this.path = path;
    folder = new NioDirectory(parent);
    lock = folder.obtainLock(name + ".lock");
    BlockWriter device = null;
    try {
      lockFile = parent.resolve(name + ".lock");
      lockMade = lockMade();
      if (Files.notExists(path)) {
        create(name, newRingBytes);
      }
      ByteBuffer header = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      try (IndexInput input = input()) {
        ringBytes = input.length() - BLOCK_BYTES;
        if (ringBytes > 0) {
          input.readBytes(header.array(), 0, BLOCK_BYTES);
        }
        id = new UUID(header.getLong(Long.BYTES), header.getLong(2 * Long.BYTES));
        long magic = header.getLong(0);
        if (magic != MAGIC
            && (magic ^ MAGIC) << Byte.SIZE == 0
            && header.equals(header(magic, id, ringBytes))) {
          throw new IndexFormatTooNewException(path.toString(), version(magic), 1, version(MAGIC));
        }
        if (!header.equals(header(MAGIC, id, ringBytes))) {
          throw new CorruptIndexException(
              "not a commit journal, or damaged at offset 0, or of another length than when it was"
                  + " made: length="
                  + input.length(),
              path.toString());
        }
        maxBatchBytes = (int) Math.min(MAX_BATCH_BYTES, ringBytes / 4 / BLOCK_BYTES * BLOCK_BYTES);
        read(input);
      }
      buffer = memory.allocate(maxBatchBytes, BLOCK_BYTES).asByteBuffer();
      buffer.order(ByteOrder.LITTLE_ENDIAN);
      MemorySegment first = memory.allocate(BLOCK_BYTES, BLOCK_BYTES);
      device = BlockWriter.open(path, first.copyFrom(MemorySegment.ofArray(header.array())));
      writes = String.valueOf(device);
      writer = wrap.apply(device);
    } catch (Throwable t) {
      memory.close();
      IOUtils.closeWhileHandlingException(device, lock, folder);
      throw t;
    }
  }

  private FileTime lockMade() throws IOException {
    return Files.readAttributes(lockFile, BasicFileAttributes.class).creationTime();
  }

  private static int version(long magic) {
    return (int) (magic >>> (Long.SIZE - Byte.SIZE)) - '0';
  }

  private static ByteBuffer header(long magic, UUID id, long ringBytes) {
    ByteBuffer header = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(magic).putLong(id.getMostSignificantBits());
    header.putLong(id.getLeastSignificantBits()).putLong(ringBytes);
    return header.putInt(checksum(header.duplicate().flip())).rewind();
  }

  private void create(String name, long bytes) throws IOException {
    String unfinished = name + ".new";
    IOUtils.deleteFilesIgnoringExceptions(folder, unfinished);
    try (IndexOutput output = folder.createOutput(unfinished, IOContext.DEFAULT)) {
      output.writeBytes(header(MAGIC, UUID.randomUUID(), bytes).array(), BLOCK_BYTES);
      // Written, not only allocated: else a sync of the first write to a block would also write
      // the file system's metadata.
      byte[] zeros = new byte[1 << 16];
      for (long left = bytes; left > 0; left -= zeros.length) {
        output.writeBytes(zeros, (int) Math.min(zeros.length, left));
      }
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(folder, unfinished);
      throw t;
    }
    folder.sync(List.of(unfinished));
    folder.rename(unfinished, name);
    folder.syncMetaData();
  }

  private static int checksum(ByteBuffer... parts) {
    CRC32C checksum = new CRC32C();
    for (ByteBuffer part : parts) {
      checksum.update(part);
    }
    return (int) checksum.getValue();
  }

  private static long inBlocks(long bytes) {
    return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
  }

  private long offset(long position) {
    return BLOCK_BYTES + position % ringBytes;
  }

  /** Opens the file for reading: a new input each time, since an input caches what it has read. */
  IndexInput input() throws IOException {
    return folder.openInput(path.getFileName().toString(), IOContext.DEFAULT);
  }

  private void read(IndexInput input) throws IOException {
    TreeMap<Long, Batch> complete = new TreeMap<>();
    for (long pos = 0; pos < ringBytes; ) {
      Batch batch = batchAt(input, pos);
      if (batch != null) {
        complete.put(batch.position, batch);
      }
      pos += batch == null ? BLOCK_BYTES : batch.end() - batch.position;
    }
    if (complete.isEmpty()) {
      return;
    }
    Batch newest = complete.lastEntry().getValue();
    head = newest.end();
    durableHead = head;
    durableTail = newest.tail;
    long pos = newest.tail;
    for (Batch batch : complete.tailMap(newest.tail).values()) {
      if (batch.previous > pos) {
        throw damage(pos);
      }
      for (JournalRecord record : records(input, batch)) {
        need(record.index(), record.folder(), batch.position);
      }
      pos = batch.end();
    }
  }

  /** The batch at a place in the ring, null if it is not complete. */
  private @Nullable Batch batchAt(IndexInput input, long pos) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    input.seek(BLOCK_BYTES + pos);
    input.readBytes(header.array(), 0, HEADER_BYTES);
    int checksum = header.getInt();
    int bytes = header.getInt();
    UUID journal = new UUID(header.getLong(), header.getLong());
    Batch batch = new Batch(header.getLong(), header.getLong(), header.getLong(), bytes);
    if (!journal.equals(id)
        || batch.position < 0
        || batch.position % ringBytes != pos
        || bytes < 0
        || bytes > maxBatchBytes - HEADER_BYTES
        || pos + HEADER_BYTES + bytes > ringBytes) {
      return null;
    }
    byte[] records = new byte[bytes];
    input.readBytes(records, 0, bytes);
    header.position(Integer.BYTES);
    return checksum == checksum(header, ByteBuffer.wrap(records)) ? batch : null;
  }

  private List<JournalRecord> records(IndexInput input, Batch batch) throws IOException {
    List<JournalRecord> records = new ArrayList<>();
    long start = offset(batch.position) + HEADER_BYTES;
    IndexInput bytes = input.slice("records", start, batch.bytes);
    try {
      while (bytes.getFilePointer() < bytes.length()) {
        records.add(JournalRecord.read(bytes, start));
      }
    } catch (EOFException | IllegalArgumentException e) {
      throw new CorruptIndexException(
          "not what a journal writes at offset " + start, path.toString(), e);
    }
    return records;
  }

  /** The durable records that an index needs, in order. */
  List<JournalRecord> records(IndexInput input, UUID index) throws IOException {
    long pos;
    long end;
    synchronized (this) {
      Need need = needs.get(index);
      pos = need == null ? 0 : need.first;
      end = need == null ? 0 : Math.min(need.last + 1, durableHead);
    }
    List<JournalRecord> records = new ArrayList<>();
    while (pos < end) {
      Batch batch = batchAt(input, pos % ringBytes);
      if (batch != null && batch.position == pos) {
        records.addAll(records(input, batch));
        pos = batch.end();
      } else if (pos % ringBytes != 0) {
        // What did not fit here begins the next lap.
        pos = (pos / ringBytes + 1) * ringBytes;
      } else {
        throw damage(pos);
      }
    }
    records.removeIf(record -> !record.index().equals(index));
    return records;
  }

  private CorruptIndexException damage(long pos) {
    return new CorruptIndexException(
        "damaged at offset "
            + offset(pos)
            + ": commits since the last checkpoint are lost if it is deleted",
        path.toString());
  }

  /** The folders of the indexes that need records. */
  synchronized Map<UUID, String> folders() {
    Map<UUID, String> folders = new HashMap<>();
    needs.forEach((index, need) -> folders.put(index, need.folder));
    return folders;
  }

  UUID id() {
    return id;
  }

  Path path() {
    return path;
  }

  /** Whether an index needs records. */
  synchronized boolean isNeededBy(UUID index) {
    return needs.containsKey(index);
  }

  private void need(UUID index, String indexFolder, long position) {
    needs.merge(
        index,
        new Need(indexFolder, position, position),
        (old, added) -> new Need(indexFolder, old.first, position));
  }

  /** An index no longer needs the batches before a position. */
  void settle(UUID index, long position) {
    synchronized (this) {
      settled |= needs.containsKey(index);
      needs.computeIfPresent(
          index,
          (_, need) ->
              need.last < position
                  ? null
                  : new Need(need.folder, Math.max(need.first, position), need.last));
    }
    free(ringBytes / 4);
  }

  /** Frees what is no longer needed if more than a number of bytes is in use. */
  private void free(long most) {
    synchronized (this) {
      if (failure != null || head - durableTail <= most || tail(head) == durableTail) {
        return;
      }
    }
    try {
      // A batch without records, whose tail frees the ring.
      append(new byte[0], id, "");
    } catch (IOException _) {
      // The next batch does.
    }
  }

  /** Whether there is room for a record, unless other indexes take it before. */
  synchronized boolean hasRoom(long recordBytes) {
    // The batch that begins a lap leaves less than its length free.
    long used = head - durableTail + queue.stream().mapToLong(Waiting::cost).sum();
    return failure == null
        && recordBytes <= maxRecordBytes()
        && used + inBlocks(HEADER_BYTES + recordBytes) <= ringBytes - maxBatchBytes;
  }

  /**
   * The position after all that is durable. After a failure the end of all positions, since that
   * write may have left something or nothing.
   */
  synchronized long head() {
    return failure == null ? durableHead : JournalLink.END;
  }

  /** Whether half of the ring is in use, and an index can free some. */
  synchronized boolean isFull(UUID index) {
    Need need = needs.get(index);
    return need != null
        && head - durableTail > ringBytes / 2
        && head - need.first > ringBytes / FREED_SHARE;
  }

  /** The longest record, in bytes. */
  int maxRecordBytes() {
    return maxBatchBytes - HEADER_BYTES;
  }

  /**
   * Writes a record and waits until it is durable. If a write fails, the journal takes no more.
   *
   * @param index needs the record until it is settled
   * @param indexFolder the folder of that index
   * @throws IOException if that failed, or if there is no room
   */
  void append(byte[] record, UUID index, String indexFolder) throws IOException {
    long own;
    synchronized (this) {
      requireOpen();
      // An empty one always fits: it goes round no end, and frees more than it takes.
      if (record.length > 0 && !hasRoom(record.length)) {
        throw new IOException("full: " + this);
      }
      queue.add(new Waiting(index, indexFolder, ByteBuffer.wrap(record)));
      own = ++queued;
    }
    while (!isDurable(own)) {
      write();
    }
  }

  /**
   * Waits until a record is durable; returns false when the thread has to write a batch instead.
   */
  private synchronized boolean isDurable(long record) throws IOException {
    boolean interrupted = false;
    // All are woken at once: with a lock, which wakes one after another, a batch would not fill.
    while (writing && failure == null && durable < record) {
      try {
        wait();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (durable >= record) {
      return true;
    }
    if (failure != null) {
      throw new IOException("not written to the journal: " + path, failure);
    }
    writing = true;
    return false;
  }

  /** Writes the records that wait, or as many as fit into a batch. */
  private void write() {
    Batch batch;
    long last;
    synchronized (this) {
      batch = fill();
      last = queued - queue.size();
    }
    IOException failed = null;
    Sync event = new Sync();
    event.begin();
    try {
      // Not Lock.ensureValid, whose channel an interrupt of this thread would close.
      if (!lockMade.equals(lockMade())) {
        throw new AlreadyClosedException("the lock file was replaced: " + lockFile);
      }
      writer.write(encode(batch), offset(batch.position));
    } catch (IOException e) {
      failed = e;
    } catch (Throwable t) {
      failed = new IOException(t);
    }
    event.what = path.toString();
    event.commit();
    synchronized (this) {
      batches++;
      writtenBytes += batch.end() - batch.position;
      writing = false;
      if (failed == null) {
        durable = last;
        durableHead = batch.end();
        durableTail = batch.tail;
      } else {
        failure = failed;
        Refusal.report("the journal takes no more commits: " + path + ": " + failed);
      }
      notifyAll();
    }
  }

  /** Puts records into the buffer, and says where they go. */
  private synchronized Batch fill() {
    List<Waiting> taken = new ArrayList<>();
    buffer.clear().position(HEADER_BYTES);
    while (!queue.isEmpty() && queue.element().bytes.remaining() <= buffer.remaining()) {
      Waiting record = queue.remove();
      if (record.bytes.hasRemaining()) {
        taken.add(record);
        buffer.put(record.bytes);
      }
    }
    long position = head;
    if (position % ringBytes + inBlocks(buffer.position()) > ringBytes) {
      position = (position / ringBytes + 1) * ringBytes;
    }
    for (Waiting record : taken) {
      need(record.index, record.folder, position);
    }
    Batch batch = new Batch(position, head, tail(position), buffer.position() - HEADER_BYTES);
    head = batch.end();
    return batch;
  }

  /** The oldest position that is needed, or another if there is none. */
  private long tail(long none) {
    return needs.values().stream().mapToLong(Need::first).min().orElse(none);
  }

  private MemorySegment encode(Batch batch) {
    buffer.put(new byte[(int) (batch.end() - batch.position) - buffer.position()]).flip();
    buffer.putInt(0).putInt(batch.bytes);
    buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    buffer.putLong(batch.position).putLong(batch.previous).putLong(batch.tail);
    int checksum =
        checksum(buffer.slice(Integer.BYTES, HEADER_BYTES + batch.bytes - Integer.BYTES));
    return MemorySegment.ofBuffer(buffer.putInt(0, checksum).rewind());
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new AlreadyClosedException("the journal is closed: " + path);
    }
  }

  /** Closes the file. No append may be under way. */
  @Override
  public void close() throws IOException {
    boolean frees;
    synchronized (this) {
      if (closed) {
        return;
      }
      frees = settled;
    }
    if (frees) {
      // So that it asks for no folder that lacked nothing and is gone when it is opened again.
      free(0);
    }
    synchronized (this) {
      closed = true;
    }
    IOUtils.close(writer, memory::close, lock, folder);
  }

  synchronized void report(MetricSource.Sink sink) {
    sink.gauge("journal.max.bytes", ringBytes);
    sink.gauge("journal.used.bytes", head - durableTail);
    sink.gauge("journal.failed", failure == null ? 0 : 1);
    sink.counter("journal.writes", batches);
    sink.counter("journal.written.bytes", writtenBytes);
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%s bytes=%s used=%s writes=%s%s",
        path,
        ringBytes,
        head - durableTail,
        writes,
        failure == null ? "" : " failed=" + failure.getMessage());
  }
}
