// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * What the last commit of an index holds.
 *
 * @param documents that are not deleted
 * @param lucene the version that wrote the commit
 * @param bytes of its segments' files
 * @param committedBytes of the files of all commits: what a copy into memory takes
 * @param fields the one with most occurrences of terms first
 */
record Contents(
    int documents,
    int deleted,
    int segments,
    String lucene,
    long bytes,
    long committedBytes,
    List<Field> fields) {
  private static final int FIELDS = 8;
  private static final List<String> TEXTS =
      List.of("", " (terms)", " (terms with frequencies)", " (terms with positions)");

  /**
   * What an index has of one field.
   *
   * @param text how well it serves as the text that queries search: 0 without terms, 1 with terms,
   *     2 with frequencies, 3 with positions
   * @param occurrences of terms, in all documents
   */
  record Field(String name, int text, long occurrences) {
    @Override
    public String toString() {
      return name + TEXTS.get(text);
    }
  }

  /**
   * The text field to search.
   *
   * @param wanted the user's; null for the one that most probably is the text
   * @throws UsageException if it, or every field, has no terms
   */
  String searchedField(@Nullable String wanted) {
    List<Field> searchable = fields.stream().filter(field -> field.text() > 0).toList();
    if (wanted != null) {
      ExistingIndex.checkField(wanted, searchable.stream().map(Field::name).toList());
      return wanted;
    }
    return searchable.stream()
        .max(Comparator.comparingInt(Field::text).thenComparingLong(Field::occurrences))
        .map(Field::name)
        .orElseThrow(
            () ->
                new UsageException(
                    "no field of the index has terms, and advise searches for terms only; it has "
                        + fields));
  }

  /** What a user wants to know of them: names and values. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("documents", Numbers.text("%,d (%,d deleted)", documents, deleted));
    facts.put("segments", segments + ", written by Lucene " + lucene);
    facts.put("index", Numbers.bytes(bytes));
    facts.put(
        "fields",
        fields.stream().limit(FIELDS).map(Field::toString).collect(Collectors.joining(", "))
            + (fields.size() > FIELDS ? " and " + (fields.size() - FIELDS) + " more" : ""));
    return facts;
  }

  static Contents read(Directory directory) throws IOException {
    SegmentInfos commit = SegmentInfos.readLatestCommit(directory);
    Set<String> committed = new HashSet<>(commit.files(true));
    try {
      for (IndexCommit each : DirectoryReader.listCommits(directory)) {
        committed.addAll(each.getFileNames());
      }
    } catch (IOException _) {
      // A damaged older commit does not prevent a reader from opening the newest one.
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return new Contents(
          reader.numDocs(),
          reader.numDeletedDocs(),
          reader.leaves().size(),
          String.valueOf(commit.getCommitLuceneVersion()),
          ExistingIndex.bytes(directory, commit.files(false)),
          ExistingIndex.bytes(directory, committed),
          fields(reader));
    }
  }

  private static List<Field> fields(DirectoryReader reader) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (FieldInfo info : FieldInfos.getMergedFieldInfos(reader)) {
      long occurrences = 0;
      for (LeafReaderContext leaf : reader.leaves()) {
        Terms terms = leaf.reader().terms(info.getName());
        occurrences += terms == null ? 0 : terms.getSumTotalTermFreq();
      }
      fields.add(field(info, occurrences));
    }
    fields.sort(Comparator.comparingLong(Field::occurrences).reversed());
    return fields;
  }

  private static Field field(FieldInfo info, long occurrences) {
    int text =
        switch (info.getIndexOptions()) {
          case NONE -> 0;
          case DOCS -> 1;
          case DOCS_AND_FREQS_AND_POSITIONS, DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS -> 3;
          default -> 2;
        };
    return new Field(info.getName(), text, occurrences);
  }
}
