// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.BackgroundThread;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Makes commits durable with one device write, for any number of indexes of a process.
 *
 * {@snippet :
 * try (CommitJournal journal = CommitJournal.open(Path.of("/var/lib/app/commits.journal"));
 *     Directory directory = new NrtCacheDirectory(new HybridDirectory(path), journal);
 *     IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
 *   writer.addDocument(new Document());
 *   writer.commit(); // durable after one write to the journal
 * }
 * }
 *
 * <p>A commit of Lucene syncs each new file, the commit file and the folder twice, one after
 * another. With a journal the small new files of a commit stay in memory, and {@code commit} writes
 * them and the commit to a preallocated file, with one write that waits for the device. Commits of
 * several threads that arrive during a write go into the next one together. In the background, a
 * checkpoint copies the files that are still needed to the folder of the index, makes them durable
 * there and frees the journal: every half minute, and when half of the journal or of the
 * directory's memory is in use. Files above 1 MiB go to the folder directly, as always.
 *
 * <p><b>Durability.</b> When {@code commit} returns it survives a crash of the process, of the
 * system and of the power. After a crash, open the directory with the same journal: it brings the
 * commits into the folder. Until then, and for other processes, the folder has an earlier commit,
 * which is complete and at most as old as the last checkpoint. {@link #checkpoint} brings it up to
 * date, for instance for a backup; closing the directory does too, and leaves nothing in the
 * journal. If something else writes a commit to the folder meanwhile, opening fails and says so.
 *
 * <p>If the journal is full, or a write to it fails, commits go to the folder directly; they fail
 * only if that fails. After a failure that lasts until the journal is opened again. Opening reads
 * the journal once; a recovery reads the batches of its index once more, and writes the files that
 * are left.
 *
 * <p>One process at a time can open a journal. All methods may be called from any thread.
 */
public final class CommitJournal implements Closeable, MetricSource {

  private static final Logger LOG = Logger.getLogger(CommitJournal.class.getName());

  /** The size of a new journal in bytes, unless {@link #open(Path, long)} says otherwise. */
  public static final long DEFAULT_BYTES = 64L << 20;

  private static final long LOOK_MILLIS = 1_000;

  /** How long a change waits for a checkpoint at most. Tests shorten it. */
  volatile long checkpointNanos = TimeUnit.SECONDS.toNanos(30);

  private final JournalFile file;
  private final Thread checkpoints;
  private final LongAdder checkpointCount = new LongAdder();

  // The fields below are guarded by this monitor.

  private final Set<JournaledIndex> indexes = new LinkedHashSet<>();
  private boolean closed;

  private CommitJournal(JournalFile file) {
    this.file = file;
    checkpoints = BackgroundThread.unstarted("checkpoint", this::checkpointWhenDue);
    file.folders()
        .forEach(
            (index, folder) -> {
              JournalLink link = linkIn(folder);
              if (link != null && link.index().equals(index)) {
                file.settle(index, link.position());
              }
            });
  }

  /** The link to this journal, and no copy of it, in a folder; null if none can be read. */
  private @Nullable JournalLink linkIn(String folder) {
    if (folder.isEmpty() || !Files.isDirectory(Path.of(folder))) {
      return null;
    }
    try (Directory directory = new NioDirectory(Path.of(folder))) {
      JournalLink link = JournalLink.in(directory);
      return link != null && link.path().equals(file.path().toString()) ? link : null;
    } catch (IOException e) {
      LOG.warning(() -> "a folder with commits in the journal cannot be read: " + e);
      return null;
    }
  }

  /** Opens a journal, or creates one of {@link #DEFAULT_BYTES}. */
  public static CommitJournal open(Path path) throws IOException {
    return open(path, DEFAULT_BYTES);
  }

  /**
   * Opens a journal, or creates it.
   *
   * @param path the file, on a durable local file system; a lock file is created next to it
   * @param bytes the size of a new journal, a multiple of 4 KiB, at least 256 KiB; one that exists
   *     keeps its size
   * @throws org.apache.lucene.store.LockObtainFailedException if it is in use
   * @throws org.apache.lucene.index.CorruptIndexException if it is damaged; the message names the
   *     offset
   */
  public static CommitJournal open(Path path, long bytes) throws IOException {
    return open(path, bytes, UnaryOperator.identity());
  }

  static CommitJournal open(Path path, long bytes, UnaryOperator<BlockWriter> wrap)
      throws IOException {
    if (bytes < JournalFile.MIN_RING_BYTES || bytes % JournalFile.BLOCK_BYTES != 0) {
      throw new IllegalArgumentException(
          "bytes must be a multiple of "
              + JournalFile.BLOCK_BYTES
              + " and at least "
              + JournalFile.MIN_RING_BYTES
              + ": bytes="
              + bytes);
    }
    JournalFile file = JournalFile.open(path, bytes, wrap);
    try {
      CommitJournal journal = new CommitJournal(file);
      journal.checkpoints.start();
      return journal;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(file);
      throw t;
    }
  }

  JournalFile file() {
    return file;
  }

  /**
   * An index uses the journal from now on.
   *
   * @param linked whether its folder has a link to this journal
   */
  synchronized void claim(JournaledIndex index, boolean linked) throws IOException {
    file.requireOpen();
    if (indexes.stream().anyMatch(other -> isSame(other, index))) {
      throw new IllegalStateException("already open with this journal: " + index.folder());
    }
    if (!linked && unrecoveredFolders().contains(index.folder())) {
      throw new IOException(
          "the journal has later commits of an index that was here, but the folder lacks its link"
              + " to them; restore the folder, or discard them: journal="
              + file.path()
              + ", folder="
              + index.folder());
    }
    String original = file.folders().getOrDefault(index.id(), index.folder());
    JournalLink link = original.equals(index.folder()) ? null : linkIn(original);
    if (link != null && link.index().equals(index.id())) {
      throw new IOException(
          "a copy of a folder that has later commits in the journal; open that first, or delete the"
              + " copy's file "
              + link.name()
              + " to do without them: original="
              + original
              + ", copy="
              + index.folder());
    }
    indexes.add(index);
  }

  private static boolean isSame(JournaledIndex one, JournaledIndex other) {
    return one.id().equals(other.id())
        || (!one.folder().isEmpty() && one.folder().equals(other.folder()));
  }

  /** An index no longer uses the journal. */
  synchronized void unclaim(JournaledIndex index) {
    indexes.remove(index);
  }

  /** Begins a checkpoint of an index. */
  synchronized void wake() {
    notifyAll();
  }

  private void checkpointWhenDue() {
    while (true) {
      List<JournaledIndex> due;
      synchronized (this) {
        try {
          if (!closed) {
            wait(LOOK_MILLIS);
          }
        } catch (InterruptedException _) {
          // No one interrupts this thread.
        }
        if (closed) {
          return;
        }
        due = new ArrayList<>(indexes);
      }
      due.removeIf(index -> !index.isDue());
      for (JournaledIndex index : due) {
        try {
          checkpoint(index);
        } catch (Throwable t) {
          LOG.log(Level.WARNING, t, () -> "a checkpoint failed and is tried again: " + this);
        }
      }
    }
  }

  private void checkpoint(JournaledIndex index) throws IOException {
    index.checkpoint();
    checkpointCount.increment();
  }

  /**
   * Brings the commits of all open indexes into their folders, and waits until that is done.
   *
   * @throws IOException if that fails for an index; the others are brought up to date
   */
  public void checkpoint() throws IOException {
    List<JournaledIndex> all;
    synchronized (this) {
      all = List.copyOf(indexes);
    }
    IOUtils.applyToAll(all, this::checkpoint);
  }

  /**
   * The folders that lack commits of this journal because no directory has been opened in them
   * since a crash.
   */
  public synchronized Set<String> unrecoveredFolders() {
    Map<UUID, String> folders = new HashMap<>(file.folders());
    indexes.forEach(index -> folders.remove(index.id()));
    folders.values().removeIf(String::isEmpty);
    return new TreeSet<>(folders.values());
  }

  /**
   * Gives up the commits that a folder lacks: it keeps the commit that it has. For a folder that is
   * lost, or that others have written to.
   *
   * @param folder one of {@link #unrecoveredFolders}; need not exist
   */
  public synchronized void discard(String folder) throws IOException {
    if (!unrecoveredFolders().contains(folder)) {
      throw new IllegalArgumentException(
          "the journal has no commits of it: folder=" + folder + ", of=" + unrecoveredFolders());
    }
    for (Map.Entry<UUID, String> index : file.folders().entrySet()) {
      if (index.getValue().equals(folder)) {
        // Made if it is missing, since its link says that nothing is left in the journal.
        try (Directory directory = new NioDirectory(Path.of(folder))) {
          JournalLink link = JournalLink.in(directory);
          if (link == null || link.index().equals(index.getKey())) {
            String path = file.path().toString();
            new JournalLink(file.id(), index.getKey(), file.head(), true, path).write(directory);
          }
        }
        file.settle(index.getKey(), JournalLink.END);
      }
    }
  }

  /**
   * Closes the journal.
   *
   * @throws IllegalStateException if a directory that uses it is open; the journal stays open
   */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (!indexes.isEmpty()) {
        throw new IllegalStateException(
            "close the directories first that use the journal: directories="
                + indexes.stream().map(JournaledIndex::folder).toList());
      }
      closed = true;
      notifyAll();
    }
    Uninterruptibles.join(checkpoints);
    file.close();
  }

  /** Reports the use of the journal, its writes and its checkpoints. */
  @Override
  public void report(Sink sink) {
    file.report(sink);
    sink.gauge("journal.unrecovered.folders", unrecoveredFolders().size());
    sink.counter("journal.checkpoints", checkpointCount.sum());
  }

  /** Names the file, and says how it is written and which folders lack its commits. */
  @Override
  public String toString() {
    return "CommitJournal(" + file + " unrecoveredFolders=" + unrecoveredFolders() + ")";
  }
}
