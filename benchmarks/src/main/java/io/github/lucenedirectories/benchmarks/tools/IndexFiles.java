package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NoLockFactory;

/** The files of an index that a writer may change meanwhile. */
public final class IndexFiles {

  private static final int BUFFER_BYTES = 1 << 16;

  /** How often the commits are read again if one cannot be read. */
  private static final int TRIES = 100;

  private IndexFiles() {}

  /** A commit, and the names of all its files. */
  record Commit(SegmentInfos infos, List<String> names) {}

  /** Opens an index to read it; neither makes nor locks anything. */
  static NioDirectory open(Path folder) throws IOException {
    ExistingIndex.checkFolder(folder);
    return new NioDirectory(folder, NoLockFactory.INSTANCE);
  }

  /**
   * All commits, the oldest first.
   *
   * @throws UsageException if there is none
   */
  static List<Commit> commits(Directory directory) throws IOException {
    return commits(
        directory,
        (_, e) -> {
          throw e;
        });
  }

  /** As above, with what happens to a commit that cannot be read. */
  static List<Commit> commits(Directory directory, Unreadable unreadable) throws IOException {
    for (int i = 0; ; i++) {
      List<Commit> commits = new ArrayList<>();
      boolean any = false;
      boolean changed = false;
      for (String name : directory.listAll()) {
        if (name.startsWith("segments_")) {
          any = true;
          try {
            SegmentInfos infos = SegmentInfos.readCommit(directory, name);
            commits.add(new Commit(infos, List.copyOf(infos.files(true))));
          } catch (IOException | IllegalArgumentException e) {
            // A writer may have deleted the commit meanwhile: then it is gone the next time.
            changed = i < TRIES;
            if (i == TRIES) {
              unreadable.commit(name, e instanceof IOException io ? io : new IOException(e));
            }
          }
        }
      }
      if (!any && i == TRIES) {
        throw new UsageException("not an index: " + directory + " has no segments file");
      }
      if (any && !changed) {
        commits.sort((a, b) -> Long.compare(a.infos.getGeneration(), b.infos.getGeneration()));
        return commits;
      }
    }
  }

  /** What happens to a commit that cannot be read. */
  interface Unreadable {
    void commit(String name, IOException why) throws IOException;
  }

  /** The files of all commits. */
  static Set<String> names(List<Commit> commits) {
    Set<String> names = new TreeSet<>();
    commits.forEach(commit -> names.addAll(commit.names));
    return names;
  }

  /** Runs a task for each item on several threads; throws the first failure once all have ended. */
  static <T> void forEach(int threads, Iterable<T> items, Task<T> task) throws IOException {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Callable<Void>> calls = new ArrayList<>();
      for (T item : items) {
        calls.add(
            () -> {
              task.run(item);
              return null;
            });
      }
      for (Future<Void> ended : pool.invokeAll(calls)) {
        ended.get();
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException unchecked -> throw unchecked;
        case Error error -> throw error;
        case null, default -> throw new IOException(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunFailedException("interrupted", e);
    }
  }

  /** What is done for an item. */
  interface Task<T> {
    void run(T item) throws IOException;
  }

  /**
   * Reads a whole file and verifies the checksum at its end.
   *
   * @return false if no codec wrote the file, so that it has no checksum
   * @throws CorruptIndexException if the checksum is wrong, the end is missing, or the memory that
   *     the bytes lie in cannot be read
   */
  public static boolean hasRightChecksum(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      if (isOfCodec(in)) {
        CodecUtil.checksumEntireFile(in);
        return true;
      }
      byte[] buffer = new byte[BUFFER_BYTES];
      in.seek(0);
      for (long left = in.length(); left > 0; left -= buffer.length) {
        in.readBytes(buffer, 0, (int) Math.min(left, buffer.length));
      }
      return false;
    } catch (InternalError e) {
      // How HotSpot reports a fault: damaged media, or a file that was cut.
      throw new CorruptIndexException("cannot be read: " + e, name, e);
    }
  }

  /** One of the two ends may be damaged. */
  private static boolean isOfCodec(IndexInput in) throws IOException {
    long footerAt = in.length() - CodecUtil.footerLength();
    if (footerAt < 0) {
      return false;
    }
    in.seek(footerAt);
    boolean hasFooter = CodecUtil.readBEInt(in) == CodecUtil.FOOTER_MAGIC;
    in.seek(0);
    return hasFooter || CodecUtil.readBEInt(in) == CodecUtil.CODEC_MAGIC;
  }
}
