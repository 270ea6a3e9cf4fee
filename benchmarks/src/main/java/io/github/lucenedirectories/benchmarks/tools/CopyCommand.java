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
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code copy}. */
@Command(
    name = "copy",
    description = {
      "Copy all commits of an index into another folder, with checksums verified, and sync them.",
      "Reads the index only, also while it is written. A copy that was interrupted goes on where it"
          + " was when it is started again; until it is complete the folder has no new commit."
    })
public final class CopyCommand extends IndexCommand {

  private static final int PART_BYTES = 1 << 23;

  /** In the name of a file that is not complete. */
  private static final String COPYING = ".copying";

  /** How often commits may vanish while they are copied. */
  private static final int TRIES = 100;

  @Parameters(index = "1", paramLabel = "TARGET", description = "is made, or goes on")
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
        List<IndexFiles.Commit> commits = copyCommits(from, to);
        say(
            "Copied %d commits: %d files of %s copied, %d were there, all verified and synced",
            commits.size(), copied.get(), Numbers.bytes(copiedBytes.get()), kept.get());
        return new Facts(commits.size(), copied.get(), copiedBytes.get(), kept.get());
      } catch (LockObtainFailedException e) {
        throw new UsageException("a writer or another copy has " + target + " open", e);
      }
    }
  }

  private List<IndexFiles.Commit> copyCommits(Directory from, NioDirectory to) throws IOException {
    IOException last = new IOException();
    for (int i = 0; i < TRIES; i++) {
      List<IndexFiles.Commit> commits = IndexFiles.commits(from);
      if (i == 0) {
        refuseAnother(commits, to);
      }
      try {
        copied.set(0);
        kept.set(0);
        copyFiles(commits, from, to);
        removeOthers(commits, to);
        return commits;
      } catch (NoSuchFileException | FileNotFoundException e) {
        // A writer has deleted a commit; its files that others share are there already.
        last = e;
      }
    }
    throw new RunFailedException("a file of a commit is missing: " + last.getMessage(), last);
  }

  /** A commit of the target must be one of the index. */
  private void refuseAnother(List<IndexFiles.Commit> commits, Directory to) throws IOException {
    Set<String> names = IndexFiles.names(commits);
    for (String name : to.listAll()) {
      if (name.startsWith("segments_")
          && (!names.contains(name)
              || Files.mismatch(folder.resolve(name), target.resolve(name)) >= 0)) {
        throw new UsageException(
            "the target has the commit "
                + name
                + ", which the index has not: name a folder without another index");
      }
    }
  }

  private void copyFiles(List<IndexFiles.Commit> commits, Directory from, NioDirectory to)
      throws IOException {
    Set<String> names = IndexFiles.names(commits);
    names.removeIf(name -> name.startsWith("segments_"));
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
      copy(from, to, name, "pending_" + name);
      if (Files.exists(target.resolve("pending_" + name))) {
        to.rename("pending_" + name, name);
      }
      to.syncMetaData();
    }
  }

  /** Copies a file under a name, unless the target has it. */
  private void copy(Directory from, Directory to, String name, String as) throws IOException {
    Path source = folder.resolve(name);
    if (isThere(from, to, name)) {
      kept.incrementAndGet();
      return;
    }
    Path part = target.resolve(name + COPYING);
    if (!append(source, part) || !hasContents(from, to, name, name + COPYING)) {
      // What was there is of another file: from the beginning.
      Files.deleteIfExists(part);
      append(source, part);
      if (!hasContents(from, to, name, name + COPYING)) {
        // Tells whether it is the original that is damaged.
        IndexFiles.hasRightChecksum(from, name);
        throw new CorruptIndexException("the copy differs from the original", part.toString());
      }
    }
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        part,
        target.resolve(as),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    copied.incrementAndGet();
  }

  private boolean isThere(Directory from, Directory to, String name) throws IOException {
    return Files.exists(target.resolve(name)) && hasContents(from, to, name, name);
  }

  /** Appends what is missing; returns false if the part is longer than the file. */
  private boolean append(Path source, Path part) throws IOException {
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      long done = out.size();
      if (done > in.size()) {
        return false;
      }
      out.position(done);
      while (done < in.size()) {
        long n = in.transferTo(done, Math.min(PART_BYTES, in.size() - done), out);
        if (n <= 0) {
          throw new IOException("the file has become shorter: " + source);
        }
        done += n;
        copiedBytes.addAndGet(n);
      }
      return true;
    }
  }

  /** Whether a file of the target has the length, the checksum and the contents of the original. */
  private boolean hasContents(Directory from, Directory to, String name, String of)
      throws IOException {
    if (from.fileLength(name) != to.fileLength(of)) {
      return false;
    }
    try {
      IndexFiles.hasRightChecksum(to, of);
    } catch (CorruptIndexException _) {
      return false;
    }
    return Files.mismatch(folder.resolve(name), target.resolve(of)) < 0;
  }

  /** Deletes what an interrupted copy left of commits that are no more. */
  private void removeOthers(List<IndexFiles.Commit> commits, Directory to) throws IOException {
    // Commits first: "segments" comes after "_", under which their files are.
    Set<String> others = new TreeSet<>(Comparator.reverseOrder());
    others.addAll(List.of(to.listAll()));
    others.removeAll(IndexFiles.names(commits));
    for (String name : others) {
      if (name.contains("segments_")
          || name.endsWith(COPYING)
          || IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
        Files.delete(target.resolve(name));
      }
    }
  }
}
