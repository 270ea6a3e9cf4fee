package io.github.lucenedirectories.variants;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.IOUtils;

/** The files of an index's last commit: all of them, or those of half its segments. */
public final class Commit {

  private Commit() {}

  /** Copies them, the segments file too, into a directory, and syncs them there. */
  public static void copy(Path index, Directory target) throws IOException {
    try (Directory source = new MMapDirectory(index)) {
      Collection<String> names = SegmentInfos.readLatestCommit(source).files(true);
      copy(source, names, target, IOContext.DEFAULT);
      target.sync(names);
    }
  }

  /** Copies them into a new directory, which is closed if that fails. */
  static Directory copied(Path index, Directory target) throws IOException {
    try {
      copy(index, target);
      return target;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(target);
      throw e;
    }
  }

  static void copy(Directory source, Collection<String> names, Directory target, IOContext context)
      throws IOException {
    for (String name : names) {
      target.copyFrom(source, name, name, context);
    }
  }

  /** The length of all files in a directory. */
  static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += directory.fileLength(name);
    }
    return bytes;
  }

  /**
   * The files of segments that together hold about half of the documents: from the largest segment
   * down, each goes to the half that has fewer. An index of one segment has it in this half.
   */
  static Set<String> half(Directory index) throws IOException {
    List<SegmentCommitInfo> segments =
        SegmentInfos.readLatestCommit(index).asList().stream()
            .sorted(Comparator.comparingInt(s -> -s.info.maxDoc()))
            .toList();
    Set<String> files = new HashSet<>();
    long here = 0;
    long there = 0;
    for (SegmentCommitInfo segment : segments) {
      if (here <= there) {
        here += segment.info.maxDoc();
        files.addAll(segment.files());
      } else {
        there += segment.info.maxDoc();
      }
    }
    return files;
  }
}
