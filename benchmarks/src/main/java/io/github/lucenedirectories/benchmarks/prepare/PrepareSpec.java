package io.github.lucenedirectories.benchmarks.prepare;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the preparing fork does.
 *
 * @param index the path of an index that exists; null to build one
 * @param docs paths of line files; empty for the Europarl lines
 * @param copies how often the text is repeated
 * @param cache the folder that built indexes are kept in
 * @param partial the path to build at, before it is moved into the cache
 * @param field the text field
 * @param taskFile the path of a luceneutil task file; null to pick queries from the index
 * @param kinds the kinds to run; empty for all
 * @param queries of each kind, at most
 * @param chosen the path to write the chosen lines to
 */
public record PrepareSpec(
    @Nullable String index,
    List<String> docs,
    int copies,
    String cache,
    String partial,
    String field,
    @Nullable String taskFile,
    List<String> kinds,
    int queries,
    long seed,
    String chosen) {}
