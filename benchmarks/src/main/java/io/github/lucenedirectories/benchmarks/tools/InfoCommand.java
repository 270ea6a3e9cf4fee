// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tools;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** {@code info}. */
@Command(
    name = "info",
    description =
        "Say which commits, segments and kinds of files an index has. Reads only, also while the"
            + " index is written. Lengths are bytes.")
public final class InfoCommand extends IndexCommand {

  private final Map<String, Long> lengths = new TreeMap<>();

  @Override
  Map<String, Object> run() throws IOException {
    try (Directory directory = IndexFiles.open(folder)) {
      List<IndexFiles.Commit> commits = IndexFiles.commits(directory, null);
      for (String name : directory.listAll()) {
        // 0 if it was deleted meanwhile.
        lengths.put(name, folder.resolve(name).toFile().length());
      }
      Map<String, Object> all = facts();
      for (IndexFiles.Commit commit : commits) {
        all.put(String.valueOf(commit.infos().getSegmentsFileName()), facts(commit));
      }
      Map<String, Object> segments = facts();
      for (SegmentCommitInfo segment : commits.getLast().infos()) {
        segments.put(segment.info.name, facts(segment));
      }
      Set<String> named = IndexFiles.names(commits);
      Map<String, Long> kinds = new TreeMap<>();
      named.forEach(name -> kinds.merge(extension(name), bytes(List.of(name)), Long::sum));
      lengths.keySet().removeAll(named);
      return facts(
          "commits", all,
          "segmentsOfLastCommit", segments,
          "bytesByExtension", kinds,
          "filesOfNoCommit", lengths);
    }
  }

  private long bytes(Collection<String> names) {
    return names.stream().mapToLong(name -> lengths.getOrDefault(name, 0L)).sum();
  }

  private Map<String, Object> facts(IndexFiles.Commit commit) {
    SegmentInfos infos = commit.infos();
    int deleted = infos.asList().stream().mapToInt(InfoCommand::deleted).sum();
    return facts(
        "documents", infos.totalMaxDoc() - deleted,
        "deleted", deleted,
        "segments", infos.size(),
        "files", commit.names().size(),
        "bytes", bytes(commit.names()),
        "lucene", String.valueOf(infos.getCommitLuceneVersion()),
        "userData", infos.getUserData());
  }

  private Map<String, Object> facts(SegmentCommitInfo segment) throws IOException {
    return facts(
        "documents", segment.info.maxDoc() - deleted(segment),
        "deleted", deleted(segment),
        "bytes", bytes(segment.files()),
        "compound", segment.info.getUseCompoundFile(),
        "lucene", segment.info.getVersion().toString(),
        "codec", segment.info.getCodec().getName());
  }

  private static int deleted(SegmentCommitInfo segment) {
    return segment.getDelCount() + segment.getSoftDelCount();
  }
}
