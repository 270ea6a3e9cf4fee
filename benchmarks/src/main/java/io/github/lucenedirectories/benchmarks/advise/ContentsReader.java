package io.github.lucenedirectories.benchmarks.advise;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** Reads what an index holds, from its last commit. */
final class ContentsReader {
  private final Directory directory;
  private final Map<FileKind, Long> bytes = new EnumMap<>(FileKind.class);

  ContentsReader(Directory directory) {
    this.directory = directory;
  }

  /** The contents. */
  Contents read() throws IOException {
    SegmentInfos commit = SegmentInfos.readLatestCommit(directory);
    for (SegmentCommitInfo segment : commit) {
      addFiles(segment);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return new Contents(
          reader.numDocs(),
          reader.numDeletedDocs(),
          reader.leaves().size(),
          String.valueOf(commit.getCommitLuceneVersion()),
          sorted(),
          folder(commit),
          fields(reader));
    }
  }

  private FolderBytes folder(SegmentInfos last) throws IOException {
    Set<String> committed = new HashSet<>();
    for (IndexCommit commit : DirectoryReader.listCommits(directory)) {
      committed.addAll(commit.getFileNames());
    }
    long all = bytes(List.of(directory.listAll()));
    return new FolderBytes(all, bytes(committed), all - bytes(last.files(true)));
  }

  private long bytes(Collection<String> names) throws IOException {
    long bytes = 0;
    for (String name : names) {
      bytes += directory.fileLength(name);
    }
    return bytes;
  }

  private void addFiles(SegmentCommitInfo segment) throws IOException {
    long inside = 0;
    if (segment.info.getUseCompoundFile()) {
      try (CompoundDirectory compound =
          segment.info.getCodec().compoundFormat().getCompoundReader(directory, segment.info)) {
        for (String name : compound.listAll()) {
          add(FileKind.of(name), compound.fileLength(name));
          inside += compound.fileLength(name);
        }
      }
    }
    long all = 0;
    for (String name : segment.files()) {
      long length = directory.fileLength(name);
      all += length;
      if (!segment.info.getUseCompoundFile()) {
        add(FileKind.of(name), length);
        inside += length;
      }
    }
    add(FileKind.OTHER, all - inside);
  }

  private void add(FileKind kind, long length) {
    bytes.merge(kind, length, Long::sum);
  }

  private Map<String, Long> sorted() {
    Map<String, Long> sorted = new LinkedHashMap<>();
    bytes.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(Map.Entry.<FileKind, Long>comparingByValue(Comparator.reverseOrder()))
        .forEach(entry -> sorted.put(entry.getKey().label(), entry.getValue()));
    return sorted;
  }

  private static List<FieldUse> fields(DirectoryReader reader) throws IOException {
    List<FieldUse> fields = new ArrayList<>();
    for (FieldInfo field : FieldInfos.getMergedFieldInfos(reader)) {
      fields.add(
          new FieldUse(
              field.getName(),
              features(field),
              text(field.getIndexOptions()),
              occurrences(reader, field.getName())));
    }
    fields.sort(Comparator.comparingLong(FieldUse::occurrences).reversed());
    return fields;
  }

  private static int text(IndexOptions options) {
    return switch (options) {
      case NONE -> 0;
      case DOCS -> 1;
      case DOCS_AND_FREQS_AND_POSITIONS, DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS -> 3;
      default -> 2;
    };
  }

  private static long occurrences(DirectoryReader reader, String field) throws IOException {
    long sum = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      @Nullable Terms terms = leaf.reader().terms(field);
      sum += terms == null ? 0 : terms.getSumTotalTermFreq();
    }
    return sum;
  }

  private static List<String> features(FieldInfo field) {
    List<String> features = new ArrayList<>();
    switch (field.getIndexOptions()) {
      case NONE -> {}
      case DOCS -> features.add("terms");
      case DOCS_AND_FREQS_AND_POSITIONS, DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS ->
          features.add("terms with positions");
      default -> features.add("terms with frequencies");
    }
    if (field.getDocValuesType() != DocValuesType.NONE) {
      features.add(
          field.getDocValuesType().name().toLowerCase(Locale.ROOT).replace('_', ' ')
              + " doc values");
    }
    if (field.getPointDimensionCount() > 0) {
      features.add("points of dimension " + field.getPointDimensionCount());
    }
    if (field.hasVectorValues()) {
      features.add("vectors of dimension " + field.getVectorDimension());
    }
    return features.isEmpty() ? List.of("stored only") : features;
  }
}
