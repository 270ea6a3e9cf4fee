// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static io.github.lucenedirectories.ram.IndexLoader.isCommit;
import static java.util.Objects.requireNonNull;

import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.os.Events.Checkpoint;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Logger;
import java.util.zip.CRC32C;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;

/** The commits of one index that go to a {@link CommitJournal}, and from there to its folder. */
final class JournaledIndex {

  private static final Logger LOG = Logger.getLogger(JournaledIndex.class.getName());

  /*
   * Why a crash at any point leaves the last acknowledged commit:
   *
   *   - Lucene syncs the file of a commit and then the files that it names. Nothing refers to them
   *     before the rename that publishes the commit, so that rename writes all that are in memory
   *     as one record. What is synced without such a rename, as by replication, syncMetaData brings
   *     into the folder.
   *   - A file that is too large is synced in the folder, and the folder's names are durable before
   *     the record.
   *   - The folder always has a complete commit. A durable file in it is not deleted, only hidden,
   *     until a checkpoint has published all later commits.
   *   - A checkpoint copies the files that are left, publishes their commits in Lucene's order,
   *     notes in the folder's link how far it came, and then deletes the hidden files, commits
   *     first. A crash in between repeats it, or leaves deleted files, as without a journal.
   *   - If the journal has no room or has failed, the files are synced in the folder. The first sync
   *     that finds no room does so, since what fails must fail before the rename. The rename makes
   *     a checkpoint, and publishes the commit in the folder.
   *   - Each record names the commit before it, which was not deleted then: a checkpoint that runs
   *     meanwhile has it, or brings it into the folder. If the folder has none of them when the
   *     journal is opened, something else has written to it.
   *
   * Order of the locks: checkpointing, logging, this.
   */

  /** An upper bound of what a record holds besides names and files, in bytes. */
  private static final int RECORD_BYTES = 1 << 8;

  /** The largest part of the largest record that one file may take. */
  private static final int FILE_SHARE = 4;

  private static final int MAX_BYTES_PER_CHAR = 3;

  /** A checkpoint that failed is not tried again before this part of the usual time. */
  private static final int RETRY_SHARE = 3;

  private final NrtCacheDirectory owner;
  private final Directory in;
  private final MemoryFileTable files;

  /** The names in the folder, which the owner of this uses too. */
  private final Set<String> below;

  private final CommitJournal journal;
  private final JournalFile log;
  private final String folder;

  /** Held by a checkpoint. */
  private final ReentrantLock checkpointing = new ReentrantLock();

  /** Its monitor is held while a record is made and written. */
  private final Object logging = new Object();

  /** What is to be known of a file, unless it is new in memory or durable in the folder. */
  private enum State {
    /** In memory and synced, and in no record. */
    UNLOGGED,
    /** In memory and in a record. */
    LOGGED,
    /** As before, and a checkpoint has copied it, or begun to copy it, to the folder. */
    COPYING,
    /** In the folder and not synced. */
    FRESH,
    /** In the folder, but deleted. */
    HIDDEN
  }

  private final Map<String, State> states = new ConcurrentHashMap<>();

  /** Deleted files that are in a record; a later one is to say so. */
  private final Set<String> deleted = new HashSet<>();

  private UUID id = UUID.randomUUID();

  /** The newest commit, if there are records. Guarded by {@link #logging}. */
  private String newest = "";

  /** When the oldest change was made that waits for a checkpoint, or 0. */
  private volatile long waitingSince;

  /** When a checkpoint that failed may be tried again. */
  private volatile long retryAt = System.nanoTime();

  /** Whether the directory was closed. */
  private volatile boolean left;

  /** Whether the folder has new names that may not be durable. */
  private volatile boolean namesChanged;

  JournaledIndex(
      NrtCacheDirectory owner,
      Directory in,
      MemoryFileTable files,
      Set<String> below,
      CommitJournal journal) {
    this.owner = owner;
    this.in = in;
    this.files = files;
    this.below = below;
    this.journal = journal;
    log = journal.file();
    folder =
        FilterDirectory.unwrap(in) instanceof FSDirectory directory
            ? directory.getDirectory().toAbsolutePath().normalize().toString()
            : "";
  }

  /** Brings what the journal has into the folder. Called once, before anything else. */
  void open() throws IOException {
    JournalLink link = JournalLink.in(in);
    if (link != null && !link.journal().equals(log.id())) {
      if (!link.closed()) {
        throw new IOException(
            "the folder may have later commits in another journal; open it with that, or delete"
                + " the file "
                + link.name()
                + " to give them up: other="
                + link.path()
                + where());
      }
      in.deleteFile(link.name());
      link = null;
    }
    if (link != null) {
      if (!link.closed() && link.position() > log.head()) {
        throw new IOException(
            "the journal is older than the folder; restore a newer one, or delete the file "
                + link.name()
                + " to give up the commits that the folder lacks"
                + where());
      }
      id = link.index();
    }
    journal.claim(this, link != null);
    try (IndexInput input = log.input()) {
      if (link != null) {
        log.settle(id, link.position());
      }
      // A process that ended may have written them without a sync.
      in.sync(
          JournalLink.list(in).stream()
              .filter(name -> name.startsWith("_") || isCommit(name))
              .toList());
      recover(log.records(input, id), input);
      if (link != null && !link.path().equals(log.path().toString())) {
        // The journal was moved, and a link at the same position would keep the old path.
        log.append(new byte[0], id, folder);
      }
      settle(log.head(), false);
      below.clear();
      below.addAll(JournalLink.list(in));
    } catch (Throwable t) {
      journal.unclaim(this);
      throw t;
    }
  }

  private String where() {
    return ": journal=" + log.path() + ", folder=" + in;
  }

  private void recover(List<JournalRecord> records, IndexInput input) throws IOException {
    String last = newestIn(in);
    boolean known = records.isEmpty();
    SequencedMap<String, IndexInput> left = new LinkedHashMap<>();
    for (JournalRecord record : records) {
      known |= last.equals(record.previous());
      left.keySet().removeAll(record.deleted());
      for (Map.Entry<String, JournalRecord.Stored> file : record.made().entrySet()) {
        String name = file.getKey();
        IndexInput bytes = input.slice(name, file.getValue().offset(), file.getValue().length());
        left.put(name, bytes);
        known |= isCommit(name) && last.equals(commit(name, bytes));
      }
    }
    if (!known) {
      throw foreign(last);
    }
    publish(left, true);
  }

  private IOException foreign(String commit) {
    return new IOException(
        "something else has written to the folder since the journal's commits; copy the folder,"
            + " then discard either its commit "
            + commit
            + " or those of the journal"
            + where());
  }

  /**
   * Ensures that a checkpoint overwrites no file that something else's commit names.
   *
   * @param copies what the checkpoint copies; an earlier attempt may have published some
   */
  private void requireNoForeignCommit(Map<String, IndexInput> copies) throws IOException {
    for (String name : JournalLink.list(in)) {
      if (isCommit(name) && !below.contains(name)) {
        IndexInput own = copies.get(name);
        if (own == null ? !states.containsKey(name) : !isInFolder(name, own)) {
          throw foreign(name);
        }
      }
    }
  }

  private static boolean isPending(String name) {
    return name.startsWith(IndexFileNames.PENDING_SEGMENTS);
  }

  /** Identifies a commit by the name of its file and the CRC-32C of its bytes. */
  private static String commit(String name, IndexInput input) throws IOException {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes(input));
    return name + ":" + Long.toHexString(checksum.getValue());
  }

  private static byte[] bytes(IndexInput input) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(input.length())];
    input.clone().readBytes(bytes, 0, bytes.length);
    return bytes;
  }

  /** The newest commit in a folder, or an empty string. */
  private static String newestIn(Directory folder) throws IOException {
    String[] commits =
        Arrays.stream(folder.listAll()).filter(IndexLoader::isCommit).toArray(String[]::new);
    String name = SegmentInfos.getLastCommitSegmentsFileName(commits);
    if (name == null) {
      return "";
    }
    try (IndexInput input = folder.openInput(name, IOContext.READONCE)) {
      return commit(name, input);
    }
  }

  private Set<String> names(State... wanted) {
    Set<String> names = new LinkedHashSet<>(states.keySet());
    names.removeIf(name -> !Arrays.asList(wanted).contains(states.get(name)));
    return names;
  }

  boolean isHidden(String name) {
    return states.get(name) == State.HIDDEN;
  }

  private boolean exists(String name) {
    return files.contains(name) || (below.contains(name) && !isHidden(name));
  }

  String folder() {
    return folder;
  }

  UUID id() {
    return id;
  }

  /** A file was created in the folder. */
  void created(String name) {
    states.putIfAbsent(name, State.FRESH);
    namesChanged = true;
  }

  synchronized Set<String> list() throws IOException {
    // Looked at on both sides of the list: a checkpoint may delete them meanwhile.
    Set<String> gone = names(State.HIDDEN);
    // Memory first, so that a file that is moved to the folder meanwhile is not missed.
    List<String> inMemory = Arrays.asList(files.names());
    Set<String> names = new TreeSet<>(JournalLink.list(in));
    names.removeAll(gone);
    names.removeIf(this::isHidden);
    names.addAll(inMemory);
    return names;
  }

  /** A file is about to be created. */
  void create(String name) throws IOException {
    if (isCommit(name) && log.isNeededBy(id)) {
      // No record names a commit that no rename publishes, as a restored backup.
      checkpoint();
    }
    makeRoomFor(name);
  }

  /** Ensures that a file of this name can be made: an older one may be hidden in the folder. */
  private void makeRoomFor(String name) throws IOException {
    if (isHidden(name)) {
      checkpoint();
      if (isHidden(name)) {
        throw new FileAlreadyExistsException(name, null, "its deletion was not possible yet");
      }
    }
  }

  void delete(String name) throws IOException {
    synchronized (this) {
      State state = states.get(name);
      if (files.delete(name)) {
        states.remove(name);
        if (state == State.LOGGED || state == State.COPYING) {
          deleted.add(name);
        }
        if (state == State.COPYING) {
          hide(name);
        }
        return;
      }
      if (state == State.HIDDEN) {
        throw new NoSuchFileException(name);
      }
      if (state != State.FRESH && !isPending(name)) {
        in.fileLength(name);
        hide(name);
        return;
      }
    }
    in.deleteFile(name);
    below.remove(name);
    states.remove(name, State.FRESH);
  }

  private void hide(String name) {
    states.put(name, State.HIDDEN);
    awaitCheckpoint();
  }

  private synchronized void awaitCheckpoint() {
    if (waitingSince == 0) {
      waitingSince = System.nanoTime() | 1;
    }
  }

  /** Keeps small files for the journal, and syncs the others in the folder. */
  void sync(Collection<String> names) throws IOException {
    Set<String> inFolder = new LinkedHashSet<>();
    // No record is made while files that wait for one are moved.
    synchronized (logging) {
      boolean full;
      synchronized (this) {
        for (String name : names) {
          if (files.contains(name)) {
            if (files.length(name) > log.maxRecordBytes() / FILE_SHARE) {
              inFolder.add(name);
            } else {
              // A copy in the folder that failed may have left the other state.
              states.merge(name, State.UNLOGGED, (old, added) -> old == State.FRESH ? added : old);
            }
          } else if (isHidden(name)) {
            throw new NoSuchFileException(name);
          } else if (states.get(name) == State.FRESH || !below.contains(name)) {
            inFolder.add(name);
          }
        }
        full = below.stream().anyMatch(JournaledIndex::isPending) || !hasRoom();
      }
      if (full) {
        inFolder.addAll(names(State.UNLOGGED));
        syncInFolder(inFolder);
        return;
      }
    }
    syncInFolder(inFolder);
  }

  private void syncInFolder(Collection<String> names) throws IOException {
    List<String> commits = names.stream().filter(IndexLoader::isCommit).toList();
    List<String> others = names.stream().filter(name -> !isCommit(name)).toList();
    moveAndSync(others);
    if (!commits.isEmpty()) {
      // A crash must not leave them without the files that they name.
      syncNames();
      moveAndSync(commits);
    }
  }

  private void moveAndSync(Collection<String> names) throws IOException {
    if (!names.isEmpty()) {
      owner.moveToFolder(names);
      for (String name : names) {
        states.remove(name, State.UNLOGGED);
        states.remove(name, State.FRESH);
      }
    }
  }

  /** Whether the journal has room for a record of all that was synced. */
  private synchronized boolean hasRoom() throws IOException {
    long bytes = RECORD_BYTES + (long) folder.length() * MAX_BYTES_PER_CHAR;
    for (String name : deleted) {
      bytes += Integer.BYTES + (long) name.length() * MAX_BYTES_PER_CHAR;
    }
    for (String name : names(State.UNLOGGED)) {
      bytes += Long.BYTES + (long) name.length() * MAX_BYTES_PER_CHAR + files.length(name);
    }
    return log.hasRoom(bytes);
  }

  void rename(String source, String dest) throws IOException {
    makeRoomFor(dest);
    synchronized (this) {
      if (files.contains(dest) || below.contains(dest)) {
        throw new FileAlreadyExistsException(dest);
      }
      if (isHidden(source)) {
        throw new NoSuchFileException(source);
      }
    }
    if (isCommit(dest) && log(source, dest)) {
      return;
    }
    withoutRecords(
        () -> {
          if (files.contains(source)) {
            syncInFolder(Set.of(source));
          }
          syncNames();
          in.rename(source, dest);
          namesChanged = true;
          below.add(dest);
          below.remove(source);
          if (states.remove(source, State.FRESH)) {
            states.put(dest, State.FRESH);
          }
        });
  }

  /** Brings all that was synced into the folder, and runs a step before there is a new record. */
  private void withoutRecords(IORunnable step) throws IOException {
    checkpointing.lock();
    try {
      synchronized (logging) {
        checkpoint();
        syncInFolder(names(State.UNLOGGED));
        step.run();
      }
    } finally {
      checkpointing.unlock();
    }
  }

  void syncMetaData() throws IOException {
    syncNames();
    Set<String> awaited = names(State.UNLOGGED);
    if (!awaited.isEmpty() && awaited.stream().noneMatch(JournaledIndex::isPending)) {
      withoutRecords(this::syncNames);
    }
  }

  private void syncNames() throws IOException {
    // Locked, so that no other thread takes them for durable meanwhile.
    synchronized (logging) {
      try {
        if (namesChanged) {
          namesChanged = false;
          in.syncMetaData();
        }
      } catch (Throwable t) {
        namesChanged = true;
        throw t;
      }
    }
  }

  /**
   * Writes a record of what has changed, in which a file has the name that it will have.
   *
   * @return false if the file does not wait for a record, or if the journal has no room or has
   *     failed
   */
  private boolean log(String source, String dest) throws IOException {
    synchronized (logging) {
      if (states.get(source) != State.UNLOGGED) {
        return false;
      }
      syncNames();
      if (!log.isNeededBy(id)) {
        newest = newestIn(in);
      }
      SequencedMap<String, IndexInput> made = new LinkedHashMap<>();
      Set<String> taken;
      List<String> gone;
      String commit;
      byte[] record;
      synchronized (this) {
        String before = newest.substring(0, Math.max(0, newest.lastIndexOf(':')));
        if (!before.isEmpty() && !exists(before)) {
          return false;
        }
        gone = List.copyOf(deleted);
        taken = names(State.UNLOGGED);
        try {
          for (String name : taken) {
            made.put(name.equals(source) ? dest : name, files.open(name, IOContext.READONCE));
          }
          commit = commit(dest, requireNonNull(made.get(dest)));
          record = JournalRecord.encode(id, folder, newest, gone, made);
        } finally {
          IOUtils.close(made.values());
        }
        taken.forEach(name -> states.put(name, State.LOGGED));
        awaitCheckpoint();
      }
      try {
        log.append(record, id, folder);
      } catch (IOException e) {
        LOG.fine(() -> "the commit goes to the folder: " + e);
        taken.forEach(name -> states.replace(name, State.LOGGED, State.UNLOGGED));
        return false;
      }
      newest = commit;
      synchronized (this) {
        gone.forEach(deleted::remove);
        if (states.remove(source, State.LOGGED)) {
          files.rename(source, dest, () -> {});
          states.put(dest, State.LOGGED);
        }
      }
    }
    if (isDue()) {
      journal.wake();
    }
    return true;
  }

  /** Brings the journal's commits into the folder, and deletes there what was deleted. */
  void checkpoint() throws IOException {
    checkpointing.lock();
    SequencedMap<String, IndexInput> copies = new LinkedHashMap<>();
    Checkpoint event = new Checkpoint();
    event.begin();
    try {
      if (left) {
        // Closed meanwhile; the records may be those of a directory that was opened in its place.
        return;
      }
      List<String> dead;
      List<String> gone;
      long position;
      synchronized (logging) {
        synchronized (this) {
          for (String name : names(State.LOGGED, State.COPYING)) {
            copies.put(name, files.open(name, IOContext.READONCE));
            states.put(name, State.COPYING);
          }
          dead = List.copyOf(names(State.HIDDEN));
          gone = List.copyOf(deleted);
          position = log.head();
          waitingSince = 0;
        }
      }
      if (!copies.isEmpty()) {
        requireNoForeignCommit(copies);
      }
      publish(copies, false);
      if (log.isNeededBy(id)) {
        settle(position, false);
      }
      readFromFolder(copies.keySet());
      synchronized (this) {
        gone.forEach(deleted::remove);
      }
      deleteFromFolder(dead);
    } catch (Throwable t) {
      retryAt = System.nanoTime() + journal.checkpointNanos / RETRY_SHARE;
      awaitCheckpoint();
      throw t;
    } finally {
      IOUtils.closeWhileHandlingException(copies.values());
      event.what = "files=" + copies.size() + ", folder=" + folder;
      event.commit();
      checkpointing.unlock();
    }
  }

  /**
   * Copies files to the folder, makes them durable, and publishes the commits among them.
   *
   * @param checked whether the newest commit is published only if the folder has all of its files
   */
  private void publish(SequencedMap<String, IndexInput> contents, boolean checked)
      throws IOException {
    if (contents.isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>();
    List<String> others = new ArrayList<>();
    List<String> commits = new ArrayList<>();
    Set<String> doubtful = new LinkedHashSet<>();
    try {
      for (Map.Entry<String, IndexInput> file : contents.entrySet()) {
        String name = file.getKey();
        // An attempt that failed later, or that a crash ended, may have left it.
        if (!isInFolder(name, file.getValue())) {
          deleteIfThere(name);
          (isCommit(name) ? commits : others).add(name);
          name = unpublished(name);
          deleteIfThere(name);
          doubtful.add(name);
          try (IndexOutput output = in.createOutput(name, IOContext.DEFAULT)) {
            output.copyBytes(file.getValue().clone(), file.getValue().length());
          }
          if (in.fileLength(name) != file.getValue().length()) {
            throw new IOException("short write: file=" + name + ", folder=" + in);
          }
        }
        names.add(name);
      }
      in.sync(names);
      // After a sync that fails a file may read well although it is lost, and the next sync would
      // not say so. So only what was synced gets its name.
      for (String name : others) {
        in.rename(unpublished(name), name);
      }
      in.syncMetaData();
      commits.sort(Comparator.comparingLong(SegmentInfos::generationFromSegmentsFileName));
      if (checked && !commits.isEmpty()) {
        requireFilesOf(commits.getLast());
      }
      for (String commit : commits) {
        doubtful.add(commit);
        in.rename(unpublished(commit), commit);
      }
      in.syncMetaData();
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(in, doubtful);
      throw t;
    }
  }

  /** Ensures that nothing has deleted files that only a commit in the journal names. */
  private void requireFilesOf(String commit) throws IOException {
    Set<String> missing = new TreeSet<>();
    try (ChecksumIndexInput input = in.openChecksumInput(unpublished(commit))) {
      long generation = SegmentInfos.generationFromSegmentsFileName(commit);
      missing.addAll(SegmentInfos.readCommit(in, input, generation).files(false));
    } catch (RuntimeException e) {
      // A length in it that cannot be, say.
      throw new CorruptIndexException("not what a journal writes" + where(), commit, e);
    }
    missing.removeAll(Arrays.asList(in.listAll()));
    if (!missing.isEmpty()) {
      throw new IOException(
          "something else has deleted files of a commit in the journal; restore them, or discard"
              + " the commit: missing="
              + missing
              + where());
    }
  }

  private static String unpublished(String name) {
    return JournalLink.PREFIX + name;
  }

  private boolean isInFolder(String name, IndexInput expected) throws IOException {
    try (IndexInput input = in.openInput(name, IOContext.READONCE)) {
      return input.length() == expected.length() && Arrays.equals(bytes(input), bytes(expected));
    } catch (NoSuchFileException | FileNotFoundException _) {
      return false;
    }
  }

  /** Notes in the folder that it has what the journal has before a position. */
  private void settle(long position, boolean closed) throws IOException {
    // A journal that has failed takes no more commits.
    boolean complete = closed || position == JournalLink.END;
    new JournalLink(log.id(), id, position, complete, log.path().toString()).write(in);
    log.settle(id, position);
  }

  /** Copied files are read from the folder from now on. */
  private synchronized void readFromFolder(Set<String> copied) throws IOException {
    below.addAll(copied);
    for (String name : copied) {
      if (states.remove(name, State.COPYING)) {
        files.delete(name);
      }
    }
  }

  /** Deletes files that no commit in the folder needs any more. */
  private void deleteFromFolder(Collection<String> names) throws IOException {
    List<String> commits = names.stream().filter(IndexLoader::isCommit).toList();
    if (!commits.isEmpty()) {
      synchronized (logging) {
        namesChanged = true;
        for (String name : commits) {
          deleteHidden(name);
        }
      }
    }
    // No commit may come back without its files, also none of which an earlier attempt could not
    // make the deletion durable.
    syncNames();
    for (String name : names) {
      if (!commits.contains(name)) {
        deleteHidden(name);
      }
    }
  }

  private void deleteHidden(String name) throws IOException {
    deleteIfThere(name);
    below.remove(name);
    states.remove(name, State.HIDDEN);
  }

  private void deleteIfThere(String name) throws IOException {
    try {
      in.deleteFile(name);
    } catch (NoSuchFileException | FileNotFoundException _) {
      // There is none.
    }
  }

  /** Whether a checkpoint is due. */
  boolean isDue() {
    long since = waitingSince;
    return since != 0
        && System.nanoTime() - retryAt >= 0
        && (System.nanoTime() - since > journal.checkpointNanos
            || log.isFull(id)
            || (log.isNeededBy(id) && owner.isShortOfMemory()));
  }

  boolean hasLeft() {
    return left;
  }

  /** Leaves the journal. The folder stays linked to it if it needs its records. */
  void leave() throws IOException {
    checkpointing.lock();
    try {
      if (!log.isNeededBy(id)) {
        settle(log.head(), true);
      }
    } finally {
      left = true;
      checkpointing.unlock();
      journal.unclaim(this);
    }
  }
}
