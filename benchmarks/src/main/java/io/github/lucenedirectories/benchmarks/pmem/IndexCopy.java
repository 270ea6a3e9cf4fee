package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A copy of files into an empty directory, durable and with checksums verified. Commits come last:
 * whoever is interrupted leaves none of which a file is missing.
 */
final class IndexCopy {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Directory from;
  private final Directory to;
  private final ByteProgress progress;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Files as they are called in the directory that they are copied to. */
  private final List<String> made = new ArrayList<>();

  private int verified;

  private IndexCopy(Directory from, Directory to, ByteProgress progress) {
    this.from = from;
    this.to = to;
    this.progress = progress;
  }

  /**
   * Copies files; if that fails none of them is left.
   *
   * @return how many of them have a checksum
   * @throws CorruptIndexException if one is damaged, naming where
   */
  static int run(Directory from, Directory to, Collection<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += from.fileLength(name);
    }
    try (Progress progress = Progress.create()) {
      // Each is written and read again.
      IndexCopy copy = new IndexCopy(from, to, new ByteProgress(progress, 2 * bytes));
      try {
        copy.copyAll(names);
      } catch (Throwable t) {
        IOUtils.deleteFilesIgnoringExceptions(to, copy.made);
        throw t;
      }
      return copy.verified;
    }
  }

  private void copyAll(Collection<String> names) throws IOException {
    Map<String, String> data = new LinkedHashMap<>();
    Map<String, String> pending = new LinkedHashMap<>();
    for (String name : names) {
      if (name.startsWith(IndexFileNames.SEGMENTS)) {
        pending.put(
            name,
            IndexFileNames.PENDING_SEGMENTS + name.substring(IndexFileNames.SEGMENTS.length()));
      } else {
        data.put(name, name);
      }
    }
    copyDurably(data);
    copyDurably(pending);
    for (Map.Entry<String, String> commit : pending.entrySet()) {
      to.rename(commit.getValue(), commit.getKey());
      made.add(commit.getKey());
    }
    to.syncMetaData();
  }

  private void copyDurably(Map<String, String> names) throws IOException {
    for (Map.Entry<String, String> name : names.entrySet()) {
      progress.file(name.getKey());
      copy(name.getKey(), name.getValue());
    }
    to.sync(names.values());
    to.syncMetaData();
    for (Map.Entry<String, String> name : names.entrySet()) {
      progress.file("verifying " + name.getKey());
      verify(name.getKey(), name.getValue());
    }
  }

  private void copy(String name, String copy) throws IOException {
    try (IndexInput in = from.openInput(name, IOContext.READONCE);
        IndexOutput out = to.createOutput(copy, IOContext.DEFAULT)) {
      made.add(copy);
      for (long left = in.length(); left > 0; ) {
        int n = (int) Math.min(left, buffer.length);
        in.readBytes(buffer, 0, n);
        out.writeBytes(buffer, 0, n);
        progress.add(n);
        left -= n;
      }
    }
  }

  private void verify(String name, String copy) throws IOException {
    try {
      verified += Checksum.verify(to, copy) ? 1 : 0;
    } catch (CorruptIndexException e) {
      // Says so if it is the original that is damaged.
      Checksum.verify(from, name);
      throw e;
    }
    progress.add(to.fileLength(copy));
  }
}
