package io.github.lucenedirectories.benchmarks.directories;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/** The files of an index's last commit: all of them, or those of half its segments. */
public final class CommitFiles {

  private CommitFiles() {}

  /** All of them, the segments file too. */
  public static Collection<String> all(Directory index) throws IOException {
    return SegmentInfos.readLatestCommit(index).files(true);
  }

  /**
   * The files of segments that together hold about half of the documents: from the largest segment
   * down, each goes to the half that has fewer. An index of one segment has it in this half.
   */
  static Set<String> half(Directory index) throws IOException {
    List<SegmentCommitInfo> segments =
        SegmentInfos.readLatestCommit(index).asList().stream()
            .sorted(Comparator.<SegmentCommitInfo>comparingInt(s -> -s.info.maxDoc()))
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

  /** Copies files by name; the target keeps nothing open. */
  public static void copy(
      Directory source, Collection<String> names, Directory target, IOContext context)
      throws IOException {
    for (String name : names) {
      target.copyFrom(source, name, name, context);
    }
  }
}
