// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.LockValidatingDirectoryWrapper;
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
  private static final String MARK = "copied-from.txt";

  /** Before the name of a file that is not complete; Lucene takes no file for one of its own. */
  private static final String COPYING = "copying_";

  @Parameters(index = "1", paramLabel = "TARGET", description = "is made, or is an earlier copy")
  private Path target = Path.of("");

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "files copied at a time (default: 4)")
  private int threads = 4;

  private final AtomicInteger copied = new AtomicInteger();

  /** The files that are known to be the same and durable. */
  private final Set<String> done = ConcurrentHashMap.newKeySet();

  @Override
  Map<String, Object> run() throws IOException {
    try (Directory from = IndexFiles.open(folder)) {
      IndexFiles.commits(from, null);
      if (Files.exists(target) && Files.isSameFile(folder, target)) {
        throw new UsageException("index and target are the same folder: " + target);
      }
      try (NioDirectory opened = new NioDirectory(target);
          Lock lock = opened.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        Directory to = new LockValidatingDirectoryWrapper(opened, lock);
        refuseAnother(to);
        List<IndexFiles.CommitFiles> commits = copyCommits(from, to);
        removeOthers(IndexFiles.names(commits), to);
        return facts(
            "commits", commits.size(),
            "copied", copied.get(),
            "keptFromEarlier", done.size() - copied.get());
      } catch (LockObtainFailedException e) {
        throw new UsageException("a writer or another copy has " + target + " open", e);
      }
    }
  }

  /** Refuses a folder that is neither empty nor a copy that nothing else has changed. */
  private void refuseAnother(Directory to) throws IOException {
    Path mark = target.resolve(MARK);
    String source = folder.toRealPath().toString();
    List<String> names = List.of(to.listAll());
    if (Files.exists(mark) && Files.size(mark) > 0) {
      List<String> lines = Files.readAllLines(mark);
      if (!lines.getFirst().equals(source)) {
        throw new UsageException("the target is a copy of another index: " + lines.getFirst());
      }
      if (names.stream().anyMatch(name -> name.startsWith("segments_"))) {
        for (IndexFiles.CommitFiles commit : IndexFiles.commits(to, null)) {
          if (!lines.contains(id(commit))) {
            throw new UsageException(
                "the target has the commit "
                    + commit.infos().getSegmentsFileName()
                    + ", which was not copied: something else wrote it");
          }
        }
      }
      return;
    }
    for (String name : names) {
      if (!name.equals(IndexWriter.WRITE_LOCK_NAME) && !name.equals(MARK)) {
        throw new UsageException("not empty, and no copy: " + target + " has " + name);
      }
    }
    Files.deleteIfExists(mark); // empty, or a link, which must not be followed
    Files.writeString(mark, source + "\n", StandardOpenOption.CREATE_NEW);
    IOUtils.fsync(mark, false);
  }

  private static String id(IndexFiles.CommitFiles commit) {
    return StringHelper.idToString(commit.infos().getId());
  }

  private List<IndexFiles.CommitFiles> copyCommits(Directory from, Directory to)
      throws IOException {
    List<String> before = List.of();
    while (true) {
      List<IndexFiles.CommitFiles> commits = IndexFiles.commits(from, null);
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

  private void copyFiles(List<IndexFiles.CommitFiles> commits, Directory from, Directory to)
      throws IOException {
    Set<String> names = IndexFiles.names(commits);
    names.removeIf(name -> name.startsWith("segments_"));
    IndexFiles.forEach(names, threads, name -> copy(from, to, name));
    to.syncMetaData();
    // Now that all files are durable their commits may be, the oldest first.
    Path mark = target.resolve(MARK);
    for (IndexFiles.CommitFiles commit : commits) {
      if (!Files.readAllLines(mark).contains(id(commit))) {
        // On a line of its own, also after one that a crash cut off.
        Files.writeString(mark, "\n" + id(commit) + "\n", StandardOpenOption.APPEND);
        IOUtils.fsync(mark, false);
      }
      copy(from, to, String.valueOf(commit.infos().getSegmentsFileName()));
      to.syncMetaData();
    }
  }

  /** Copies a file, unless the target has it. */
  private void copy(Directory from, Directory to, String name) throws IOException {
    Path file = target.resolve(name);
    if (done.contains(name)) {
      return;
    } else if (Files.exists(file) && isSame(to, name, name)) {
      IOUtils.fsync(file, false);
    } else {
      String partName = COPYING + name;
      Path part = target.resolve(partName);
      append(folder.resolve(name), part);
      if (!isSame(to, name, partName)) {
        // What was there is of another file, or the original is damaged: from the beginning.
        Checksum.isRight(from, name);
        Files.delete(part);
        append(folder.resolve(name), part);
        if (!isSame(to, name, partName)) {
          throw new CorruptIndexException("the copy differs from the original", part.toString());
        }
      }
      IOUtils.fsync(part, false);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      copied.incrementAndGet();
    }
    done.add(name);
  }

  /** Appends what is missing; follows no link. */
  private static void append(Path source, Path part) throws IOException {
    if (Files.isSymbolicLink(part)) {
      Files.delete(part);
    }
    try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
      out.position(out.size());
      for (long at = out.size(); at < in.size(); ) {
        long n = in.transferTo(at, in.size() - at, out);
        if (n <= 0) {
          throw new IOException("the file has become shorter: " + source);
        }
        at += n;
      }
    }
  }

  /** Whether a file of the target has the bytes of the original, and its checksum is right. */
  private boolean isSame(Directory to, String name, String of) throws IOException {
    if (Files.mismatch(folder.resolve(name), target.resolve(of)) >= 0) {
      return false;
    }
    try {
      Checksum.isRight(to, of);
      return true;
    } catch (CorruptIndexException _) {
      return false;
    }
  }

  /** Deletes what earlier copies brought that the index has no longer, commits first. */
  private void removeOthers(Set<String> names, Directory to) throws IOException {
    String files = COPYING + ".*|" + IndexFileNames.CODEC_FILE_PATTERN.pattern();
    for (String pattern : List.of("segments_[0-9a-z]+", files)) {
      for (String name : to.listAll()) {
        if (name.matches(pattern) && !names.contains(name)) {
          Files.delete(target.resolve(name));
        }
      }
      to.syncMetaData();
    }
  }
}
