package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code copy}. */
@Command(
    name = "copy",
    description = {
      "Copy all commits of an index into another folder, with checksums verified, and sync them.",
      "Reads the index only, also while it is written. A copy that was interrupted goes on where it"
          + " was when it is started again; a later copy brings what is new, and removes what the"
          + " index has no longer."
    })
public final class CopyCommand extends IndexCommand {

  /** Names the index and the commits that were copied: what another program wrote is kept. */
  static final String MARK = "copied-from.txt";

  private static final int PART_BYTES = 1 << 23;

  /** In the name of a file that is not complete. */
  private static final String COPYING = ".copying";

  @Parameters(index = "1", paramLabel = "TARGET", description = "is made, or is an earlier copy")
  private Path target = Path.of("");

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "files copied at a time (default: 4)")
  private int threads = 4;

  private record Facts(int commits, int copied, long copiedBytes, int keptFromEarlier) {}

  private final AtomicLong copiedBytes = new AtomicLong();
  private final AtomicInteger copied = new AtomicInteger();
  private final AtomicInteger kept = new AtomicInteger();

  /** The files that are known to be the same, durable included. */
  private final Set<String> done = ConcurrentHashMap.newKeySet();

  @Override
  Object run() throws IOException {
    try (Directory from = IndexFiles.open(folder)) {
      IndexFiles.commits(from);
      if (Files.exists(target) && Files.isSameFile(folder, target)) {
        throw new UsageException("index and target are the same folder: " + target);
      }
      try (NioDirectory to = new NioDirectory(target);
          Lock lock = to.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        lock.ensureValid();
        refuseAnother(to);
        List<IndexFiles.Commit> commits = copyCommits(from, to);
        removeOthers(commits, to);
        say(
            "Copied %d commits: %d files of %s copied, %d were there, all compared and synced",
            commits.size(), copied.get(), Numbers.bytes(copiedBytes.get()), kept.get());
        return new Facts(commits.size(), copied.get(), copiedBytes.get(), kept.get());
      } catch (LockObtainFailedException e) {
        throw new UsageException("a writer or another copy has " + target + " open", e);
      }
    }
  }

  /** Refuses a folder that is neither empty nor a copy that nothing else has changed. */
  private void refuseAnother(NioDirectory to) throws IOException {
    Path mark = target.resolve(MARK);
    String source = folder.toRealPath().toString();
    if (Files.exists(mark) && Files.size(mark) > 0) {
      List<String> lines = Files.readAllLines(mark);
      if (!lines.getFirst().equals(source)) {
        throw new UsageException("the target is a copy of another index: " + lines.getFirst());
      }
      for (IndexFiles.Commit commit : existing(to)) {
        if (!lines.contains(id(commit))) {
          throw new UsageException(
              "the target has the commit "
                  + commit.infos().getSegmentsFileName()
                  + ", which was not copied: something else wrote it");
        }
      }
      return;
    }
    for (String name : to.listAll()) {
      if (!name.equals(IndexWriter.WRITE_LOCK_NAME) && !name.equals(MARK)) {
        throw new UsageException("not empty, and no copy: " + target + " has " + name);
      }
    }
    Files.writeString(mark, source + "\n");
    sync(mark);
  }

  private static List<IndexFiles.Commit> existing(NioDirectory to) throws IOException {
    boolean any = List.of(to.listAll()).stream().anyMatch(name -> name.startsWith("segments_"));
    return any ? IndexFiles.commits(to) : List.of();
  }

  private static String id(IndexFiles.Commit commit) {
    return StringHelper.idToString(commit.infos().getId());
  }

  private List<IndexFiles.Commit> copyCommits(Directory from, NioDirectory to) throws IOException {
    List<String> before = List.of();
    while (true) {
      List<IndexFiles.Commit> commits = IndexFiles.commits(from);
      try {
        copyFiles(commits, from, to);
        return commits;
      } catch (NoSuchFileException | FileNotFoundException e) {
        // A writer has deleted a commit: its files that others share are there already.
        List<String> ids = commits.stream().map(CopyCommand::id).toList();
        if (ids.equals(before)) {
          throw new RunFailedException("a file of a commit is missing: " + e.getMessage(), e);
        }
        before = ids;
      }
    }
  }

  private void copyFiles(List<IndexFiles.Commit> commits, Directory from, NioDirectory to)
      throws IOException {
    Set<String> names = IndexFiles.names(commits);
    names.removeIf(name -> name.startsWith("segments_") || done.contains(name));
    try (Progress progress = new Progress()) {
      progress.start("files", names.size());
      IndexFiles.forEach(
          Math.max(1, threads),
          names,
          name -> {
            copy(from, to, name, name);
            progress.stepDone();
          });
    }
    to.syncMetaData();
    // Now that all files are durable their commits may be, the oldest first.
    for (IndexFiles.Commit commit : commits) {
      String name = String.valueOf(commit.infos().getSegmentsFileName());
      Path mark = target.resolve(MARK);
      if (!Files.readAllLines(mark).contains(id(commit))) {
        // On a line of its own, also after one that a crash cut off.
        Files.writeString(mark, "\n" + id(commit) + "\n", StandardOpenOption.APPEND);
        sync(mark);
      }
      if (!done.contains(name)) {
        copy(from, to, name, "pending_" + name);
      }
      if (Files.exists(target.resolve("pending_" + name))) {
        to.rename("pending_" + name, name);
      }
      to.syncMetaData();
    }
  }

  /** Copies a file under a name, unless the target has it. */
  private void copy(Directory from, Directory to, String name, String as) throws IOException {
    Path source = folder.resolve(name);
    if (Files.exists(target.resolve(name)) && isSame(from, to, name, name)) {
      sync(target.resolve(name));
      kept.incrementAndGet();
      done.add(name);
      return;
    }
    String partName = as + COPYING;
    Path part = target.resolve(partName);
    if (!append(source, part) || !isSame(from, to, name, partName)) {
      // What was there is of another file: from the beginning.
      Files.deleteIfExists(part);
      append(source, part);
      if (!isSame(from, to, name, partName)) {
        // Tells whether it is the original that is damaged.
        IndexFiles.hasRightChecksum(from, name);
        throw new CorruptIndexException("the copy differs from the original", part.toString());
      }
    }
    sync(part);
    Files.move(
        part,
        target.resolve(as),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    copied.incrementAndGet();
    done.add(name);
  }

  private static void sync(Path file) throws IOException {
    IOUtils.fsync(file, false);
  }

  /** Appends what is missing; returns false if the part is longer than the file. */
  private boolean append(Path source, Path part) throws IOException {
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      long at = out.size();
      if (at > in.size()) {
        return false;
      }
      out.position(at);
      while (at < in.size()) {
        long n = in.transferTo(at, Math.min(PART_BYTES, in.size() - at), out);
        if (n <= 0) {
          throw new IOException("the file has become shorter: " + source);
        }
        at += n;
        copiedBytes.addAndGet(n);
      }
      return true;
    }
  }

  /** Whether a file of the target has the bytes of the original, and its checksum is right. */
  private boolean isSame(Directory from, Directory to, String name, String of) throws IOException {
    if (from.fileLength(name) != to.fileLength(of)
        || Files.mismatch(folder.resolve(name), target.resolve(of)) >= 0) {
      return false;
    }
    try {
      IndexFiles.hasRightChecksum(to, of);
      return true;
    } catch (CorruptIndexException _) {
      return false;
    }
  }

  /** Deletes what earlier copies brought that the index has no longer, commits first. */
  private void removeOthers(List<IndexFiles.Commit> commits, NioDirectory to) throws IOException {
    Set<String> others = new TreeSet<>(List.of(to.listAll()));
    others.removeAll(IndexFiles.names(commits));
    List<String> inOrder = new ArrayList<>(others);
    inOrder.sort(Comparator.comparing(name -> !name.startsWith("segments_")));
    for (String name : inOrder) {
      if (name.matches("segments_[0-9a-z]+")
          || name.endsWith(COPYING)
          || name.startsWith(IndexFileNames.PENDING_SEGMENTS)
          || IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
        Files.delete(target.resolve(name));
        if (name.startsWith("segments_")) {
          to.syncMetaData();
        }
      }
    }
    to.syncMetaData();
  }
}
