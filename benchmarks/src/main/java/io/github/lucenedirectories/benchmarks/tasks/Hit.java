package io.github.lucenedirectories.benchmarks.tasks;

/**
 * One hit, or whatever a kind has in place of hits.
 *
 * @param doc Lucene's number of the document; a label's ordinal for a count by label
 * @param score NaN where a kind has none
 * @param detail what else must be the same: sort values, a label, the stored text; often empty
 */
public record Hit(int doc, float score, String detail) {}
