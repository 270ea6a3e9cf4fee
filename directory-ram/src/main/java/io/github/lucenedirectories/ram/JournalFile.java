// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.Events.Sync;
import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
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
   * Format, all numbers little-endian. The first block holds FILE_MAGIC, the id, the bytes of the
   * ring and a CRC-32C of these. The ring follows. It holds batches, each written by one device
   * write and beginning with a block: BATCH_MAGIC, the position of the batch, the position after
   * the batch before, the tail, the bytes of its records, a CRC-32C of the id and of all this, and
   * the records, each after its length.
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

  private static final int HEADER_BYTES = 4 * Long.BYTES + 2 * Integer.BYTES;
  private static final int MAX_BATCH_BYTES = 4 << 20;

  /** A part of the ring that is worth a checkpoint. */
  private static final int FREED_SHARE = 8;

  private static final long FILE_MAGIC = 0x314c4e524a43554cL;
  private static final long BATCH_MAGIC = 0x484354414243554cL;

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

  // The fields below are guarded by this monitor.

  /** The records of the next batch, after room for its header. */
  private ByteBuffer filling;

  /** The buffer of the batch that is written, or an empty one. */
  private ByteBuffer spare;

  /** The indexes of the records in {@link #filling}, and their folders. */
  private final Map<UUID, String> waiting = new HashMap<>();

  /** The number of the next batch. */
  private long next;

  /** The number of the batch before which all are durable. */
  private long durable;

  /** Whether a thread writes a batch. Records that come meanwhile go into the next one. */
  private boolean writing;

  private long head;
  private long durableTail;
  private boolean closed;
  private @Nullable IOException failure;
  private long batches;
  private long writtenBytes;

  /** The positions of the batches that an index still needs. */
  private final Map<UUID, TreeSet<Long>> needed = new HashMap<>();

  /** The folders of these indexes, as their last records name them. */
  private final Map<UUID, String> folders = new HashMap<>();

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
   * @throws CorruptIndexException if it is damaged before its end
   */
  static JournalFile open(Path path, long newRingBytes, UnaryOperator<BlockWriter> wrap)
      throws IOException {
    Path file = path.toAbsolutePath().normalize();
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
        if (input.length() >= BLOCK_BYTES) {
          input.readBytes(header.array(), 0, BLOCK_BYTES);
        }
        long magic = header.getLong();
        id = new UUID(header.getLong(), header.getLong());
        ringBytes = header.getLong();
        int checksum = checksum(header.array(), header.position());
        if (magic != FILE_MAGIC || header.getInt() != checksum) {
          throw new CorruptIndexException(
              "not a commit journal, or damaged at offset 0", path.toString());
        }
        if (input.length() != BLOCK_BYTES + ringBytes) {
          throw new CorruptIndexException(
              "length=" + input.length() + ", expected=" + (BLOCK_BYTES + ringBytes),
              path.toString());
        }
        maxBatchBytes = (int) Math.min(MAX_BATCH_BYTES, ringBytes / 4);
        read(input);
      }
      filling = buffer(memory, maxBatchBytes);
      spare = buffer(memory, maxBatchBytes);
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

  private static ByteBuffer buffer(Arena memory, int bytes) {
    ByteBuffer buffer = memory.allocate(bytes, BLOCK_BYTES).asByteBuffer();
    return buffer.order(ByteOrder.LITTLE_ENDIAN).position(HEADER_BYTES);
  }

  private FileTime lockMade() throws IOException {
    return Files.readAttributes(lockFile, BasicFileAttributes.class).creationTime();
  }

  private void create(String name, long bytes) throws IOException {
    String unfinished = name + ".new";
    IOUtils.deleteFilesIgnoringExceptions(folder, unfinished);
    ByteBuffer header = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    UUID made = UUID.randomUUID();
    header.putLong(FILE_MAGIC).putLong(made.getMostSignificantBits());
    header.putLong(made.getLeastSignificantBits()).putLong(bytes);
    header.putInt(checksum(header.array(), header.position()));
    try (IndexOutput output = folder.createOutput(unfinished, IOContext.DEFAULT)) {
      output.writeBytes(header.array(), BLOCK_BYTES);
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

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
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
    durableTail = newest.tail;
    long pos = newest.tail;
    for (Batch batch : complete.tailMap(newest.tail).values()) {
      if (batch.previous > pos) {
        throw new CorruptIndexException(
            "damaged at offset "
                + offset(pos)
                + ": commits since the last checkpoint are lost if it is deleted",
            path.toString());
      }
      for (JournalRecord record : records(input, batch)) {
        need(record.index(), record.folder(), batch.position);
      }
      pos = batch.end();
    }
  }

  private static @Nullable Batch headerAt(IndexInput input, long offset) throws IOException {
    input.seek(offset);
    return input.readLong() == BATCH_MAGIC
        ? new Batch(input.readLong(), input.readLong(), input.readLong(), input.readInt())
        : null;
  }

  /** The batch at a place in the ring, null if it is not complete. */
  private @Nullable Batch batchAt(IndexInput input, long pos) throws IOException {
    Batch batch = headerAt(input, BLOCK_BYTES + pos);
    if (batch == null
        || batch.position < 0
        || batch.position % ringBytes != pos
        || batch.bytes < 0
        || batch.bytes > maxBatchBytes - HEADER_BYTES
        || pos + HEADER_BYTES + batch.bytes > ringBytes) {
      return null;
    }
    int checksum = input.readInt();
    byte[] bytes = new byte[batch.bytes];
    input.readBytes(bytes, 0, bytes.length);
    return checksum == checksum(batch, ByteBuffer.wrap(bytes)) ? batch : null;
  }

  private int checksum(Batch batch, ByteBuffer records) {
    ByteBuffer covered = ByteBuffer.allocate(5 * Long.BYTES);
    covered.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    covered.putLong(batch.position).putLong(batch.previous).putLong(batch.tail);
    CRC32C checksum = new CRC32C();
    checksum.update(covered.flip());
    checksum.update(records);
    return (int) checksum.getValue();
  }

  private List<JournalRecord> records(IndexInput input, Batch batch) throws IOException {
    List<JournalRecord> records = new ArrayList<>();
    long pos = offset(batch.position) + HEADER_BYTES;
    for (long end = pos + batch.bytes; pos < end; ) {
      input.seek(pos);
      int length = input.readInt();
      if (length > 0) {
        records.add(JournalRecord.read(input));
      }
      pos += Integer.BYTES + length;
    }
    return records;
  }

  /** The records that an index needs, in the order in which they were written. */
  List<JournalRecord> records(IndexInput input, UUID index) throws IOException {
    List<Long> positions;
    synchronized (this) {
      positions = List.copyOf(needed.getOrDefault(index, new TreeSet<>()));
    }
    List<JournalRecord> records = new ArrayList<>();
    for (long position : positions) {
      Batch batch = headerAt(input, offset(position));
      if (batch == null || batch.position != position) {
        throw new CorruptIndexException("damaged at offset " + offset(position), path.toString());
      }
      records.addAll(records(input, batch));
    }
    records.removeIf(record -> !record.index().equals(index));
    return records;
  }

  /** The folders of the indexes that need records. */
  synchronized Map<UUID, String> folders() {
    return Map.copyOf(folders);
  }

  UUID id() {
    return id;
  }

  Path path() {
    return path;
  }

  private void need(UUID index, String indexFolder, long position) {
    needed.computeIfAbsent(index, _ -> new TreeSet<>()).add(position);
    folders.put(index, indexFolder);
  }

  /** An index no longer needs the batches before a position. */
  void settle(UUID index, long position) {
    synchronized (this) {
      TreeSet<Long> positions = needed.getOrDefault(index, new TreeSet<>());
      positions.headSet(position).clear();
      if (positions.isEmpty()) {
        needed.remove(index);
        folders.remove(index);
      }
      if (head - durableTail <= ringBytes / 4 || tail(head) == durableTail) {
        return;
      }
    }
    try {
      // An empty batch, whose tail frees the ring.
      append(new byte[0], null, "");
    } catch (IOException _) {
      // The next batch does.
    }
  }

  private static long cost(long recordBytes) {
    return inBlocks(HEADER_BYTES + Integer.BYTES + recordBytes);
  }

  /** Whether there is room for a record, unless other indexes take it before. */
  synchronized boolean hasRoom(long recordBytes) {
    // The batch that begins a lap leaves less than its length free.
    return failure == null
        && recordBytes <= maxRecordBytes()
        && head - durableTail + inBlocks(filling.position()) + cost(recordBytes)
            <= ringBytes - maxBatchBytes;
  }

  /**
   * The position after all that was written. After a failure the end of all positions, since that
   * write may have left something or nothing.
   */
  synchronized long head() {
    return failure == null ? head : JournalLink.CLOSED;
  }

  /** Whether half of the ring is in use, and an index that has settled so far can free some. */
  synchronized boolean isFull(long settled) {
    return head - durableTail > ringBytes / 2 && head - settled > ringBytes / FREED_SHARE;
  }

  /** The longest record, in bytes. */
  int maxRecordBytes() {
    return maxBatchBytes - HEADER_BYTES - Integer.BYTES;
  }

  /**
   * Writes a record and waits until it is durable. If a write fails, the journal takes no more.
   *
   * @param index needs the record until it is settled; null if none does
   * @param indexFolder the folder of that index
   * @throws IOException if that failed, or if there is no room
   */
  void append(byte[] record, @Nullable UUID index, String indexFolder) throws IOException {
    long own;
    synchronized (this) {
      requireOpen();
      // An empty one always fits: it goes round no end, and frees more than it takes.
      if (record.length > 0 && !hasRoom(record.length)) {
        throw new IOException("full: " + this);
      }
      await(() -> filling.remaining() >= Integer.BYTES + record.length);
      if (!hasRoom(record.length) && record.length > 0) {
        // Others that waited too have taken it.
        throw new IOException("full: " + this);
      }
      own = next;
      if (failure == null) {
        filling.putInt(record.length).put(record);
      }
      if (index != null) {
        waiting.put(index, indexFolder);
      }
    }
    if (isMyTurn(own)) {
      write();
    }
    synchronized (this) {
      if (durable <= own) {
        throw new IOException("not written to the journal: " + path, failure);
      }
    }
  }

  /** Waits for writers until a condition holds, or the journal has failed. */
  private synchronized void await(BooleanSupplier condition) {
    boolean interrupted = false;
    // All are woken at once: with a lock, which wakes one after another, a batch would not fill.
    while (failure == null && !condition.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until a batch is durable; returns true when the thread has to write it instead. */
  private synchronized boolean isMyTurn(long batch) {
    await(() -> !writing || durable > batch);
    boolean mine = failure == null && durable <= batch;
    writing |= mine;
    return mine;
  }

  /** Writes the batch that is filled. */
  private void write() {
    ByteBuffer records;
    Batch batch;
    synchronized (this) {
      records = filling;
      filling = spare;
      next++;
      batch = place(records.position() - HEADER_BYTES);
      notifyAll();
    }
    IOException failed = null;
    Sync event = new Sync();
    event.begin();
    try {
      // Not Lock.ensureValid, whose channel an interrupt of this thread would close.
      if (!lockMade.equals(lockMade())) {
        throw new AlreadyClosedException("the lock file was replaced: " + lockFile);
      }
      writer.write(encode(batch, records), offset(batch.position));
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
      spare = records.clear().position(HEADER_BYTES);
      writing = false;
      if (failed == null) {
        durable = next;
        durableTail = batch.tail;
      } else {
        failure = failed;
        Refusal.report("the journal takes no more commits: " + path + ": " + failed);
      }
      notifyAll();
    }
  }

  /** Says where the next batch goes. */
  private synchronized Batch place(int bytes) {
    long position = head;
    if (position % ringBytes + inBlocks(HEADER_BYTES + bytes) > ringBytes) {
      position = (position / ringBytes + 1) * ringBytes;
    }
    for (Map.Entry<UUID, String> index : waiting.entrySet()) {
      need(index.getKey(), index.getValue(), position);
    }
    waiting.clear();
    Batch batch = new Batch(position, head, tail(position), bytes);
    head = batch.end();
    return batch;
  }

  /** The oldest batch that is needed, or a position if there is none. */
  private long tail(long none) {
    long tail = none;
    for (TreeSet<Long> positions : needed.values()) {
      tail = Math.min(tail, positions.first());
    }
    return tail;
  }

  private MemorySegment encode(Batch batch, ByteBuffer buffer) {
    int checksum = checksum(batch, buffer.slice(HEADER_BYTES, batch.bytes));
    while (buffer.position() % BLOCK_BYTES != 0) {
      buffer.put((byte) 0);
    }
    buffer.flip();
    buffer.putLong(BATCH_MAGIC).putLong(batch.position).putLong(batch.previous);
    buffer.putLong(batch.tail).putInt(batch.bytes).putInt(checksum);
    return MemorySegment.ofBuffer(buffer.rewind());
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new AlreadyClosedException("the journal is closed: " + path);
    }
  }

  /** Closes the file. No append may be under way. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
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
