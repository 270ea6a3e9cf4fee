// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static io.github.lucenedirectories.ram.RecordedFiles.SECTOR_BYTES;

import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * The folders of some indexes and their journal, whose power can be cut at any moment.
 *
 * <p>A write to the journal is durable once it has returned, and any sectors of one in flight are.
 * What is found of a folder, {@link CrashingBacking} says. All of it changes under one lock, so
 * that a cut strikes all at the same moment.
 */
final class JournalWorld {

  /** What is found when the power is back. */
  @SuppressWarnings("ArrayRecordComponent") // no one compares these
  record Found(List<CrashingBacking> disks, byte[] journal) {}

  /** Called under the lock before and after each change, and during a write to the journal. */
  volatile Consumer<String> watcher = _ -> {};

  /** What happens at the next write to the journal. Asked under the lock. */
  volatile Supplier<Trouble> troubles = () -> Trouble.NONE;

  /** What else happens during a write to the journal. Called without the lock. */
  volatile Runnable duringWrite = () -> {};

  private final Path path;
  private final List<CrashingBacking> disks;
  private final Random random;

  // The fields below are guarded by the lock.

  private byte[] durable = {};
  private byte @Nullable [] inFlight;
  private long offsetInFlight;
  private boolean powerless;

  /** The offsets and lengths of the writes to the journal. */
  private final List<long[]> written = new ArrayList<>();

  /** Empty folders, and no journal. */
  JournalWorld(Path path, int folders, long seed) {
    this.path = path;
    random = new Random(seed);
    disks = IntStream.range(0, folders).mapToObj(_ -> new CrashingBacking()).toList();
  }

  /** What was found. */
  JournalWorld(Path path, Found found, long seed) throws IOException {
    this.path = path;
    random = new Random(seed);
    disks = found.disks;
    durable = found.journal;
    Files.write(path, durable);
  }

  CommitJournal open(long bytes) throws IOException {
    return CommitJournal.open(path, bytes, Writer::new);
  }

  /** The folder itself. */
  CrashingBacking disk(int folder) {
    return disks.get(folder);
  }

  /** The folder as a directory uses it that may be struck by a cut. */
  Directory folder(int folder) {
    return new Folder(disks.get(folder));
  }

  /** Offset and length of each write to the journal. */
  synchronized List<long[]> written() {
    return List.copyOf(written);
  }

  /** Whether a write to the journal is under way. Asked by a watcher. */
  boolean isWriting() {
    return inFlight != null;
  }

  /** What would be found if the power was cut now. */
  synchronized Found cut() {
    byte[] journal = durable.clone();
    if (inFlight != null) {
      land(inFlight, offsetInFlight, true, journal);
    }
    return new Found(disks.stream().map(disk -> disk.afterPowerCut(random)).toList(), journal);
  }

  /** From now on nothing changes any more. */
  synchronized void cutPower() {
    powerless = true;
  }

  private void look(String moment) {
    if (!powerless) {
      watcher.accept(moment);
    }
  }

  private void requirePower() throws IOException {
    if (powerless) {
      throw new IOException("the power is cut");
    }
  }

  private synchronized void step(String moment, IORunnable change) throws IOException {
    look("before " + moment);
    requirePower();
    change.run();
    look("after " + moment);
  }

  /** Puts bytes, or some sectors of them, in their place. */
  private void land(byte[] bytes, long offset, boolean torn, byte[] target) {
    IntPredicate lands =
        torn && random.nextInt(4) > 0 ? RecordedFiles.torn(bytes.length, random) : _ -> true;
    for (int at = 0; at < bytes.length; at += SECTOR_BYTES) {
      if (lands.test(at)) {
        int length = Math.min(SECTOR_BYTES, bytes.length - at);
        System.arraycopy(bytes, at, target, Math.toIntExact(offset + at), length);
      }
    }
  }

  /** Writes to the file, which needs not be durable, and to what is found after a cut. */
  private final class Writer implements BlockWriter {
    private final BlockWriter real;
    private final RandomAccessFile file;

    Writer(BlockWriter real) {
      this.real = real;
      try {
        // Not a channel, which an interrupt would close.
        file = new RandomAccessFile(path.toFile(), "rw");
        durable = Files.readAllBytes(path);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void write(MemorySegment segment, long offset) throws IOException {
      byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
      Trouble trouble;
      synchronized (JournalWorld.this) {
        look("before a write to the journal");
        requirePower();
        trouble = troubles.get();
        written.add(new long[] {offset, bytes.length});
        inFlight = bytes;
        offsetInFlight = offset;
        look("during a write to the journal");
      }
      duringWrite.run();
      synchronized (JournalWorld.this) {
        inFlight = null;
        requirePower();
        if (trouble != Trouble.ERROR) {
          boolean whole = trouble == Trouble.NONE || trouble == Trouble.DONE;
          land(bytes, offset, !whole, durable);
          file.seek(offset);
          file.write(durable, Math.toIntExact(offset), bytes.length);
        }
        look("after a write to the journal");
      }
      if (trouble != Trouble.NONE) {
        throw new IOException("the test lets it fail: " + trouble + " at a write to the journal");
      }
    }

    @Override
    public void close() throws IOException {
      try (real) {
        file.close();
      }
    }
  }

  private final class Folder extends FilterDirectory {
    Folder(Directory disk) {
      super(disk);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      IndexOutput[] output = new IndexOutput[1];
      step("create " + name, () -> output[0] = in.createOutput(name, context));
      return output[0];
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      IndexOutput[] output = new IndexOutput[1];
      step("temporary", () -> output[0] = in.createTempOutput(prefix, suffix, context));
      return output[0];
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      for (String name : names) {
        step("sync " + name, () -> in.sync(List.of(name)));
      }
    }

    @Override
    public void syncMetaData() throws IOException {
      step("sync of names", in::syncMetaData);
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      step("rename to " + dest, () -> in.rename(source, dest));
    }

    @Override
    public void deleteFile(String name) throws IOException {
      step("delete " + name, () -> in.deleteFile(name));
    }

    /** It is looked at afterwards. */
    @Override
    public void close() {}
  }
}
