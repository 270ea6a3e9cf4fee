package io.github.lucenedirectories.benchmarks.advise;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the last commit of an index holds.
 *
 * @param documents that are not deleted
 * @param lucene the version that wrote the commit
 * @param bytesByKind of its files, those in compound files too; kinds that it has, the largest
 *     first
 * @param unreferencedBytes of files in the folder that the commit does not name
 */
record Contents(
    int documents,
    int deleted,
    int segments,
    String lucene,
    Map<String, Long> bytesByKind,
    long unreferencedBytes,
    List<FieldUse> fields) {

  /** The field that most probably is the text; empty if none has terms. */
  Optional<String> textField() {
    return fields.stream()
        .filter(field -> field.text() > 0)
        .max(Comparator.comparingInt(FieldUse::text).thenComparingLong(FieldUse::occurrences))
        .map(FieldUse::name);
  }

  long bytes() {
    return bytesByKind.values().stream().mapToLong(Long::longValue).sum();
  }
}
