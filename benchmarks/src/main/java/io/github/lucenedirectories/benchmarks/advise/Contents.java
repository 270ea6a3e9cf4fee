package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the last commit of an index holds.
 *
 * @param documents that are not deleted
 * @param lucene the version that wrote the commit
 * @param bytesByKind of its files, those in compound files too; kinds that it has, the largest
 *     first
 * @param folder what else is in its folder
 */
record Contents(
    int documents,
    int deleted,
    int segments,
    String lucene,
    Map<String, Long> bytesByKind,
    FolderBytes folder,
    List<FieldUse> fields) {

  /** The field that most probably is the text; empty if none has terms. */
  Optional<String> textField() {
    return fields.stream()
        .filter(field -> field.text() > 0)
        .max(Comparator.comparingInt(FieldUse::text).thenComparingLong(FieldUse::occurrences))
        .map(FieldUse::name);
  }

  /**
   * The text field to search.
   *
   * @param wanted the user's; null for the one that most probably is the text
   * @throws UsageException if it, or every field, has no terms
   */
  String searchedField(@Nullable String wanted) {
    if (wanted == null) {
      return textField()
          .orElseThrow(
              () ->
                  new UsageException(
                      "no field of the index has terms, and advise asks for terms only; it has "
                          + fields));
    }
    ExistingIndex.checkField(
        wanted, fields.stream().filter(field -> field.text() > 0).map(FieldUse::name).toList());
    return wanted;
  }

  /** Of the last commit's segments. */
  long bytes() {
    return bytesByKind.values().stream().mapToLong(Long::longValue).sum();
  }
}
