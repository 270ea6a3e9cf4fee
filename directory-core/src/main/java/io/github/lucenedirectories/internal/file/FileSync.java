// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.internal.os.Events.Refusal;
import io.github.lucenedirectories.internal.os.Events.Sync;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Parallel;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.regex.Pattern;
import org.apache.lucene.util.Constants;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;

/** Makes files of a folder durable, several at a time. Any thread may call any method. */
public final class FileSync {

  /*
   * File systems commit concurrent syncs together. More threads gained nothing for the dozen files
   * of a commit.
   *
   * Syncs run on other threads than the caller's: an interrupt makes FileChannel.force throw
   * ClosedByInterruptException instead of the failure that it met, and Linux reports a failure only
   * once.
   *
   * After a failed sync, Linux may drop the pages it could not write and report success for the
   * next sync. Such a file is remembered by its name: until it is deleted or rewritten, every sync
   * of it fails. Therefore no file is renamed while it is synced.
   */

  private static final int THREADS = 4;

  /**
   * English messages of file systems that cannot sync folders; Lucene ignores every such failure.
   */
  private static final Pattern UNSUPPORTED =
      Pattern.compile("Invalid argument|not supported|not implemented");

  private static final double SECONDS_PER_NANO = 1e-9;

  private final Path folder;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Syncs hold the read lock, renames the write lock. */
  private final ReadWriteLock names = new ReentrantReadWriteLock();

  FileSync(Path folder) {
    this.folder = folder;
  }

  /**
   * Syncs each file. Tries all of them before it returns or throws.
   *
   * @throws IOException if a sync failed, now or earlier
   */
  void sync(Collection<String> files) throws IOException {
    List<IOException> failures = new ArrayList<>();
    names.readLock().lock();
    try {
      Parallel.forEach(
          List.copyOf(files),
          THREADS,
          name -> {
            try {
              sync(name);
            } catch (IOException e) {
              synchronized (failures) {
                failures.add(e);
              }
            }
          });
    } finally {
      names.readLock().unlock();
    }
    if (!failures.isEmpty()) {
      IOException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private void sync(String name) throws IOException {
    if (suspects.contains(name)) {
      throw new IOException(
          Refusal.report(
              "an earlier sync of this file failed and the system may have lost what was written;"
                  + " write it again: file="
                  + folder.resolve(name)));
    }
    Sync event = new Sync();
    event.begin();
    long begun = System.nanoTime();
    try {
      IOUtils.fsync(folder.resolve(name), false);
    } catch (FileSystemException e) {
      // It could not be opened, so nothing was tried.
      throw e;
    } catch (IOException e) {
      suspects.add(name);
      throw e;
    } finally {
      count.increment();
      nanos.add(System.nanoTime() - begun);
      event.what = folder.resolve(name).toString();
      event.commit();
    }
  }

  /** How many files were synced, how long that took, and how many are refused. */
  void report(MetricSource.Sink sink) {
    sink.counter("syncs", count.sum());
    sink.counter("sync.seconds", "", nanos.sum() * SECONDS_PER_NANO);
    sink.gauge("suspect.files", suspects.size());
  }

  /**
   * Makes a folder's names durable if the platform and the file system can. Lucene's {@code fsync}
   * ignores it if that fails.
   *
   * @throws IOException if that failed
   */
  public static void syncFolder(Path folder) throws IOException {
    if (!Constants.WINDOWS) {
      Parallel.forEach(List.of(folder), 1, FileSync::forceFolder);
    }
  }

  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      if (!isUnsupported(String.valueOf(e.getMessage()))) {
        throw e;
      }
    }
  }

  private static boolean isUnsupported(String message) {
    return UNSUPPORTED.matcher(message).find()
        || NativeCalls.get()
            .filter(calls -> calls.files().messagesOfUnknownCalls().contains(message))
            .isPresent();
  }

  /** Forgets a failed sync: the name now belongs to an unrelated file or to none. */
  void forget(String name) {
    suspects.remove(name);
  }

  void rename(String source, String dest, IORunnable renaming) throws IOException {
    names.writeLock().lock();
    try {
      renaming.run();
      if (suspects.remove(source)) {
        suspects.add(dest);
      } else {
        suspects.remove(dest);
      }
    } finally {
      names.writeLock().unlock();
    }
  }
}
