// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.durability.Troubles.Operation;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.SingleInstanceLockFactory;

/**
 * A directory on a disk whose power can be cut at any operation, and that has troubles on demand.
 *
 * <p>It keeps apart what reads well now and what has been synced. {@link #afterPowerCut} makes the
 * disk that is found when the power is back: a file that was not synced is shorter, holds garbage
 * or is whole, and names are found as {@link NameJournal} says. That is stricter than most file
 * systems, on which a synced file brings its name along. All methods may be called from any thread.
 */
public final class CrashingBacking extends BaseDirectory {

  /** An output writes that many bytes at once, so that also a small file takes several writes. */
  private static final int WRITE_BYTES = 512;

  private final NameJournal journal = new NameJournal(false);
  private final List<String> log = new ArrayList<>();
  private Troubles troubles = Troubles.NONE;
  private boolean powerless;
  private long nextTemporary;

  /** An empty disk without troubles. */
  public CrashingBacking() {
    super(new SingleInstanceLockFactory());
  }

  /** From now on these troubles come. */
  public synchronized CrashingBacking with(Troubles newTroubles) {
    troubles = newTroubles;
    return this;
  }

  /** Whether the power was cut. */
  public synchronized boolean powerless() {
    return powerless;
  }

  /** How many bytes the files take. */
  public synchronized long bytes() {
    return journal.names.values().stream().mapToLong(file -> file.written.size()).sum();
  }

  /**
   * The operations so far, as in {@code "SYNC _0.cfs"}, followed by {@code "!"} if it failed.
   *
   * @return a copy
   */
  public synchronized List<String> log() {
    return List.copyOf(log);
  }

  /**
   * A disk as this one may be found if the power is cut now, or was cut before. This one is left as
   * it is.
   */
  public synchronized CrashingBacking afterPowerCut(Random random) {
    CrashingBacking found = new CrashingBacking();
    for (Map.Entry<String, byte[]> file : journal.afterPowerCut(random).entrySet()) {
      StoredFile durable = new StoredFile();
      durable.written.writeBytes(file.getValue());
      durable.sync();
      found.journal.change(null, file.getKey(), durable);
    }
    found.journal.sync();
    return found;
  }

  private Trouble meet(Operation operation, String name, int bytes) throws IOException {
    requireUsable();
    Trouble trouble = troubles.at(operation, name, bytes);
    log.add(operation + " " + name + (trouble == Trouble.NONE ? "" : "!"));
    powerless = trouble == Trouble.POWER_CUT;
    return trouble;
  }

  /**
   * Does an operation unless it meets a trouble.
   *
   * @param lossy what is done instead when pages are lost
   */
  private void run(Operation operation, String name, Runnable action, Runnable lossy)
      throws IOException {
    Trouble trouble = meet(operation, name, 0);
    switch (trouble) {
      case NONE, DONE -> action.run();
      case LOST_PAGES -> lossy.run();
      default -> {}
    }
    if (trouble != Trouble.NONE) {
      throw failure(trouble, operation, name);
    }
  }

  private void run(Operation operation, String name, Runnable action) throws IOException {
    run(operation, name, action, () -> {});
  }

  private static IOException failure(Trouble trouble, Operation operation, String name) {
    return new IOException("the test lets it fail: " + trouble + " at " + operation + " " + name);
  }

  private void requireUsable() throws IOException {
    ensureOpen();
    if (powerless) {
      throw new IOException("the power is cut");
    }
  }

  private StoredFile file(String name) throws IOException {
    requireUsable();
    StoredFile file = journal.names.get(name);
    if (file == null) {
      throw new NoSuchFileException(name);
    }
    return file;
  }

  @Override
  public synchronized String[] listAll() throws IOException {
    requireUsable();
    return journal.names.keySet().toArray(String[]::new);
  }

  @Override
  public synchronized long fileLength(String name) throws IOException {
    return file(name).written.size();
  }

  @Override
  public synchronized void deleteFile(String name) throws IOException {
    StoredFile file = file(name);
    run(Operation.DELETE, name, () -> journal.change(name, null, file));
  }

  @Override
  public synchronized void rename(String source, String dest) throws IOException {
    StoredFile file = file(source);
    if (journal.names.containsKey(dest)) {
      throw new FileAlreadyExistsException(dest);
    }
    run(Operation.RENAME, source, () -> journal.change(source, dest, file));
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    for (String name : names) {
      sync(name);
    }
  }

  private synchronized void sync(String name) throws IOException {
    StoredFile file = file(name);
    run(Operation.SYNC, name, file::sync, () -> file.lost = true);
  }

  @Override
  public synchronized void syncMetaData() throws IOException {
    run(Operation.SYNC_META_DATA, "", journal::sync, journal::lose);
  }

  @Override
  public synchronized IndexInput openInput(String name, IOContext context) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(file(name).written.toByteArray());
    return new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(bytes)), name);
  }

  @Override
  public synchronized IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return createOutput(getTempFileName(prefix, suffix, nextTemporary++), context);
  }

  @Override
  public synchronized IndexOutput createOutput(String name, IOContext context) throws IOException {
    ensureOpen();
    if (journal.names.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    StoredFile file = new StoredFile();
    run(Operation.CREATE, name, () -> journal.change(null, name, file));
    OutputStream stream =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            append(name, file, bytes, offset, length);
          }

          @Override
          public void close() throws IOException {
            synchronized (CrashingBacking.this) {
              run(Operation.CLOSE, name, () -> {});
            }
          }
        };
    return new OutputStreamIndexOutput("CrashingBacking(" + name + ")", name, stream, WRITE_BYTES);
  }

  private synchronized void append(
      String name, StoredFile file, byte[] bytes, int offset, int length) throws IOException {
    Trouble trouble = meet(Operation.WRITE, name, length);
    boolean whole = trouble == Trouble.NONE || trouble == Trouble.DONE;
    file.written.write(bytes, offset, whole ? length : length / 2);
    if (trouble != Trouble.NONE && trouble != Trouble.SHORT_WRITE) {
      throw failure(trouble, Operation.WRITE, name);
    }
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  @Override
  public synchronized void close() {
    isOpen = false;
  }
}
