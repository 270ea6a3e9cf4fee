// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.apache.lucene.util.IORunnable;

/**
 * The two metadata logs of a directory, one of which is valid. A log has records of {@link
 * LogEntry}s; one store of eight bytes makes a record valid.
 *
 * <p>When a log is full, the current state is written to the other one, which one store of eight
 * bytes makes valid. Not thread-safe.
 */
final class MetadataLog {

  /*
   * The body of a record and a zero word behind it are made durable first. Then the header
   * word, zero until then, is stored. So a log ends at a zero word, after a crash too. Checksums
   * also cover the UUID of the directory, the generation of the log and the offset: they detect
   * damaged media, and bytes of an earlier generation if writes lost their order.
   */

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final PoolMemory pool;
  private final String path;
  private final UUID uuid;
  private final long logBytes;
  private int valid;
  private int generation;

  private long last;

  private long end;

  /**
   * Opens the logs of a first pool file.
   *
   * @param replay receives the valid entries, in order
   * @throws IOException if the logs are damaged; it names file, field, expected and found
   */
  MetadataLog(PoolMemory pool, String path, Superblock superblock, Consumer<LogEntry> replay)
      throws IOException {
    this.pool = pool;
    this.path = path;
    this.uuid = superblock.uuid();
    this.logBytes = superblock.logBytes();
    choose();
    replay(replay);
  }

  /**
   * The header word of the first log in a new pool file; that log has no records.
   *
   * @param uuid of the directory
   */
  static long firstHeader(UUID uuid) {
    return header(uuid, 0, 1);
  }

  /**
   * Makes the replayed state durable before anything depends on it. A process that was killed, or
   * whose flush failed, may have left a header word that is readable but would not survive a loss
   * of power. All other bytes were durable before that word was stored. The words are stored again,
   * because a flush alone does nothing for a page that the kernel considers clean.
   */
  void settle() throws IOException {
    write(
        () -> {
          for (long at : new long[] {Layout.logAt(valid, logBytes), last}) {
            publish(at, pool.bytes().get(WORD, at));
          }
        });
  }

  private void write(IORunnable stores) throws IOException {
    try {
      stores.run();
    } catch (InternalError e) {
      throw Pools.unwritable(path, e);
    }
  }

  private void choose() throws IOException {
    for (int i = 0; i < Layout.LOGS; i++) {
      long word = pool.bytes().get(WORD, Layout.logAt(i, logBytes));
      int found = (int) (word >>> Integer.SIZE);
      if (word != 0 && word != header(uuid, i, found)) {
        throw Superblock.damaged(
            path,
            "header of log " + i,
            Long.toHexString(header(uuid, i, found)),
            Long.toHexString(word));
      }
      if (word != 0 && found > generation) {
        valid = i;
        generation = found;
      }
    }
    if (generation == 0) {
      throw Superblock.damaged(path, "header of logs", "one valid", "none");
    }
  }

  private static long header(UUID uuid, int log, int generation) {
    CRC32C sum = sumOf(uuid, ByteBuffer.allocate(2 * Integer.BYTES).putInt(log).putInt(generation));
    return (long) generation << Integer.SIZE | sum.getValue();
  }

  private static CRC32C sumOf(UUID uuid, ByteBuffer more) {
    CRC32C sum = new CRC32C();
    sum.update(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .flip());
    sum.update(more.flip());
    return sum;
  }

  private void replay(Consumer<LogEntry> replay) throws IOException {
    long start = Layout.logAt(valid, logBytes);
    long limit = start + logBytes - Layout.RECORD_HEADER_BYTES;
    end = start + Layout.LOG_HEADER_BYTES;
    last = end;
    while (true) {
      long word = pool.bytes().get(WORD, end);
      if (word == 0) {
        return;
      }
      long length = word >>> Integer.SIZE;
      String field = "record at offset " + end;
      long most = limit - end - Layout.RECORD_HEADER_BYTES;
      if (length > most || length % Layout.RECORD_ALIGNMENT != 0) {
        throw Superblock.damaged(path, "length of " + field, "words, at most " + most, length);
      }
      byte[] body = new byte[(int) length];
      MemorySegment.copy(
          pool.bytes(),
          ValueLayout.JAVA_BYTE,
          end + Layout.RECORD_HEADER_BYTES,
          body,
          0,
          body.length);
      long expected = recordHeader(body, end, generation);
      if (word != expected) {
        throw Superblock.damaged(
            path, "header of " + field, Long.toHexString(expected), Long.toHexString(word));
      }
      try {
        LogEntry.decode(body).forEach(replay);
      } catch (IllegalArgumentException e) {
        throw Superblock.damaged(path, field, "entries", e.getMessage());
      }
      passTo(end, body);
    }
  }

  private void passTo(long record, byte[] body) {
    last = record;
    end = record + Layout.RECORD_HEADER_BYTES + body.length;
  }

  private long recordHeader(byte[] body, long at, int generation) {
    CRC32C sum =
        sumOf(uuid, ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(at).putInt(generation));
    sum.update(body);
    return (long) body.length << Integer.SIZE | sum.getValue();
  }

  /**
   * Makes entries valid and durable together.
   *
   * @param snapshot supplies the whole state, these entries included, if the log is full
   * @throws LogFullException if there are too many files for a log; nothing has changed then
   */
  void append(List<? extends LogEntry> entries, Supplier<List<? extends LogEntry>> snapshot)
      throws IOException {
    byte[] body = LogEntry.encode(entries);
    if (end + neededBytes(body) > Layout.logAt(valid, logBytes) + logBytes) {
      compact(snapshot.get());
      return;
    }
    long header = recordHeader(body, end, generation);
    write(
        () -> {
          writeBody(end, body);
          publish(end, header);
        });
    passTo(end, body);
  }

  private static long neededBytes(byte[] body) {
    return 2L * Layout.RECORD_HEADER_BYTES + body.length;
  }

  private void writeBody(long record, byte[] body) throws IOException {
    byte[] bytes = Arrays.copyOf(body, body.length + Long.BYTES);
    long at = record + Layout.RECORD_HEADER_BYTES;
    pool.write(at, bytes, 0, bytes.length);
    pool.flush(at, bytes.length);
  }

  private void publish(long at, long word) throws IOException {
    pool.writeWord(at, word);
    pool.flush(at, Long.BYTES);
  }

  /**
   * Writes the whole state to the other log, which becomes the valid one.
   *
   * @throws LogFullException if that is more than a log holds; nothing has changed then
   */
  void compact(List<? extends LogEntry> all) throws IOException {
    byte[] body = LogEntry.encode(all);
    if (Layout.LOG_HEADER_BYTES + neededBytes(body) > logBytes) {
      throw new LogFullException(Layout.LOG_HEADER_BYTES + neededBytes(body), logBytes, path);
    }
    int other = Layout.LOGS - 1 - valid;
    int next = generation + 1;
    long start = Layout.logAt(other, logBytes);
    long record = start + Layout.LOG_HEADER_BYTES;
    long header = recordHeader(body, record, next);
    write(
        () -> {
          writeBody(record, body);
          publish(record, header);
          publish(start, header(uuid, other, next));
        });
    valid = other;
    generation = next;
    passTo(record, body);
  }

  long usedBytes() {
    return end - Layout.logAt(valid, logBytes);
  }
}
