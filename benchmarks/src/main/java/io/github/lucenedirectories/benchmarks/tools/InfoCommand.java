package io.github.lucenedirectories.benchmarks.tools;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;

/** {@code info}. */
@Command(
    name = "info",
    description =
        "Say which commits, segments and kinds of files an index has. Reads only, also while the"
            + " index is written.")
public final class InfoCommand extends IndexCommand {

  @Override
  Map<String, ?> run() throws IOException {
    try (Directory directory = IndexFiles.open(folder)) {
      List<IndexFiles.Commit> commits = IndexFiles.commits(directory);
      Map<String, Long> lengths = new TreeMap<>();
      for (String name : directory.listAll()) {
        try {
          lengths.put(name, Files.size(folder.resolve(name)));
        } catch (NoSuchFileException _) {
          // Deleted meanwhile.
        }
      }
      TreeSet<String> others = new TreeSet<>(lengths.keySet());
      others.removeAll(IndexFiles.names(commits));
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("index", folder.toString());
      facts.put("commits", commits(commits, lengths));
      facts.put("segments", segments(commits.getLast(), lengths));
      facts.put("bytesByExtension", byExtension(commits, lengths));
      facts.put("filesOfNoCommit", List.copyOf(others));
      long bytes = others.stream().mapToLong(name -> lengths.getOrDefault(name, 0L)).sum();
      say("Of no commit: %d files, %s", others.size(), Numbers.bytes(bytes));
      return facts;
    }
  }

  private static long bytes(Iterable<String> names, Map<String, Long> lengths) {
    long bytes = 0;
    for (String name : names) {
      bytes += lengths.getOrDefault(name, 0L);
    }
    return bytes;
  }

  private List<Map<String, Object>> commits(
      List<IndexFiles.Commit> commits, Map<String, Long> lengths) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (IndexFiles.Commit commit : commits) {
      Map<String, Object> one = new LinkedHashMap<>();
      int deleted = commit.infos().asList().stream().mapToInt(SegmentCommitInfo::getDelCount).sum();
      one.put("name", String.valueOf(commit.infos().getSegmentsFileName()));
      one.put("documents", commit.infos().totalMaxDoc() - deleted);
      one.put("deleted", deleted);
      one.put("segments", commit.infos().size());
      one.put("files", commit.names().size());
      one.put("bytes", bytes(commit.names(), lengths));
      one.put("lucene", String.valueOf(commit.infos().getCommitLuceneVersion()));
      one.put("userData", commit.infos().getUserData());
      all.add(one);
      say(
          "Commit %s: %,d documents, %,d deleted, %d segments, %d files, %s, written by Lucene %s",
          one.get("name"),
          one.get("documents"),
          deleted,
          one.get("segments"),
          one.get("files"),
          Numbers.bytes(bytes(commit.names(), lengths)),
          one.get("lucene"));
    }
    return all;
  }

  private List<Map<String, Object>> segments(IndexFiles.Commit last, Map<String, Long> lengths)
      throws IOException {
    List<Map<String, Object>> all = new ArrayList<>();
    say("%-10s %12s %12s %12s  %s", "segment", "documents", "deleted", "size", "written by");
    for (SegmentCommitInfo segment : last.infos()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", segment.info.name);
      one.put("documents", segment.info.maxDoc() - segment.getDelCount());
      one.put("deleted", segment.getDelCount());
      one.put("bytes", bytes(segment.files(), lengths));
      one.put("compound", segment.info.getUseCompoundFile());
      one.put("lucene", segment.info.getVersion().toString());
      one.put("codec", segment.info.getCodec().getName());
      all.add(one);
      say(
          "%-10s %,12d %,12d %12s  %s, %s%s",
          one.get("name"),
          one.get("documents"),
          one.get("deleted"),
          Numbers.bytes(bytes(segment.files(), lengths)),
          one.get("lucene"),
          one.get("codec"),
          segment.info.getUseCompoundFile() ? ", compound" : "");
    }
    return all;
  }

  private Map<String, Long> byExtension(
      List<IndexFiles.Commit> commits, Map<String, Long> lengths) {
    Map<String, Long> kinds = new TreeMap<>();
    for (String name : IndexFiles.names(commits)) {
      kinds.merge(extension(name), lengths.getOrDefault(name, 0L), Long::sum);
    }
    kinds.forEach((kind, bytes) -> say("%-10s %38s", kind, Numbers.bytes(bytes)));
    return kinds;
  }
}
