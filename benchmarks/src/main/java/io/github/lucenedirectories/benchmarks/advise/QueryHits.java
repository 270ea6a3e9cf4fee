package io.github.lucenedirectories.benchmarks.advise;

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

  boolean findNothing() {
    return without == queries;
  }

  /** Whether half of them or more find nothing. */
  boolean mostlyFindNothing() {
    return 2 * without >= queries;
  }
}
