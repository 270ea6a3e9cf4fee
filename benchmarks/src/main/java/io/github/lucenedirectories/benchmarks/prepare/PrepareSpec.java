package io.github.lucenedirectories.benchmarks.prepare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the preparing fork does.
 *
 * @param source the index to find or to build
 * @param cache the folder that built indexes are kept in
 * @param partial the path to build at, before it is moved into the cache
 * @param taskFile the path of a luceneutil task file; null to pick queries from the index
 * @param kinds the kinds to run; empty for all
 * @param queries of each kind, at most; 0 for a workload that has none
 * @param countsHits whether to count the queries that find nothing
 * @param chosen the path to write the chosen lines to
 */
public record PrepareSpec(
    IndexSource source,
    String cache,
    String partial,
    @Nullable String taskFile,
    List<String> kinds,
    int queries,
    long seed,
    boolean countsHits,
    String chosen) {}
