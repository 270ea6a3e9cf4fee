package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.console.UsageException;

/**
 * How many of the chosen queries find something: an index whose text was analysed in another way
 * has other words than they ask for.
 *
 * @param queries that were asked
 * @param without those that found nothing
 */
record QueryHits(int queries, int without) {

  /** As {@code 3 of 8 queries find nothing}. */
  String summary() {
    return without + " of " + queries + " queries find nothing";
  }

  /**
   * Refuses to measure queries none of which finds anything.
   *
   * @param field that they were asked in
   */
  void check(String field) {
    if (without == queries) {
      throw new UsageException(
          "none of "
              + queries
              + " queries finds anything in field '"
              + field
              + "': name another --field, or write the words as the index has them");
    }
  }

  /** Whether half of them or more find nothing. */
  boolean mostlyFindNothing() {
    return 2 * without >= queries;
  }
}
