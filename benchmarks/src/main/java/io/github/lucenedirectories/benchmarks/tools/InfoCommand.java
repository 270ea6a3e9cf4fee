package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** {@code info}. */
@Command(
    name = "info",
    description =
        "Say which commits, segments and kinds of files an index has. Reads only, also while the"
            + " index is written.")
public final class InfoCommand extends IndexCommand {

  private final Map<String, Long> lengths = new TreeMap<>();

  private record Facts(
      List<CommitFacts> commits,
      List<SegmentFacts> segments,
      Map<String, Long> bytesByExtension,
      Collection<String> filesOfNoCommit) {}

  private record CommitFacts(
      String name,
      int documents,
      int deleted,
      int segments,
      int files,
      long bytes,
      String lucene,
      Map<String, String> userData) {}

  private record SegmentFacts(
      String name,
      int documents,
      int deleted,
      long bytes,
      boolean compound,
      String lucene,
      String codec) {}

  @Override
  Object run() throws IOException {
    try (Directory directory = IndexFiles.open(folder)) {
      List<IndexFiles.Commit> commits = IndexFiles.commits(directory);
      for (String name : directory.listAll()) {
        try {
          lengths.put(name, Files.size(folder.resolve(name)));
        } catch (NoSuchFileException _) {
          // Deleted meanwhile.
        }
      }
      List<CommitFacts> all = commits.stream().map(this::commit).toList();
      List<SegmentFacts> segments = segments(commits.getLast().infos());
      Map<String, Long> kinds = new TreeMap<>();
      for (String name : IndexFiles.names(commits)) {
        kinds.merge(extension(name), lengths.getOrDefault(name, 0L), Long::sum);
      }
      kinds.forEach((kind, bytes) -> say("%-10s %38s", kind, Numbers.bytes(bytes)));
      TreeSet<String> others = new TreeSet<>(lengths.keySet());
      others.removeAll(IndexFiles.names(commits));
      say("Of no commit: %d files, %s", others.size(), Numbers.bytes(bytes(others)));
      return new Facts(all, segments, kinds, others);
    }
  }

  private long bytes(Collection<String> names) {
    return names.stream().mapToLong(name -> lengths.getOrDefault(name, 0L)).sum();
  }

  private CommitFacts commit(IndexFiles.Commit commit) {
    SegmentInfos infos = commit.infos();
    int deleted = infos.asList().stream().mapToInt(InfoCommand::deleted).sum();
    CommitFacts facts =
        new CommitFacts(
            String.valueOf(infos.getSegmentsFileName()),
            infos.totalMaxDoc() - deleted,
            deleted,
            infos.size(),
            commit.names().size(),
            bytes(commit.names()),
            String.valueOf(infos.getCommitLuceneVersion()),
            infos.getUserData());
    say(
        "Commit %s: %,d documents, %,d deleted, %d segments, %d files, %s, written by Lucene %s",
        facts.name,
        facts.documents,
        deleted,
        facts.segments,
        facts.files,
        Numbers.bytes(facts.bytes),
        facts.lucene);
    return facts;
  }

  private List<SegmentFacts> segments(SegmentInfos last) throws IOException {
    List<SegmentFacts> all = new ArrayList<>();
    say("%-10s %12s %12s %12s  %s", "segment", "documents", "deleted", "size", "written by");
    for (SegmentCommitInfo segment : last) {
      SegmentFacts facts =
          new SegmentFacts(
              segment.info.name,
              segment.info.maxDoc() - deleted(segment),
              deleted(segment),
              bytes(segment.files()),
              segment.info.getUseCompoundFile(),
              segment.info.getVersion().toString(),
              segment.info.getCodec().getName());
      all.add(facts);
      say(
          "%-10s %,12d %,12d %12s  %s, %s%s",
          facts.name,
          facts.documents,
          facts.deleted,
          Numbers.bytes(facts.bytes),
          facts.lucene,
          facts.codec,
          facts.compound ? ", compound" : "");
    }
    return all;
  }

  private static int deleted(SegmentCommitInfo segment) {
    return segment.getDelCount() + segment.getSoftDelCount();
  }
}
