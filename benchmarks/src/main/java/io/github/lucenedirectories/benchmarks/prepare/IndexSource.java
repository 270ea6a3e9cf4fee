package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import org.jspecify.annotations.Nullable;

/**
 * Which index a workload uses.
 *
 * @param index the path of an index that exists; null to build one
 * @param text what to build it of
 * @param vectors whether documents that are built have a vector
 * @param field the text field
 */
public record IndexSource(@Nullable String index, CorpusSpec text, boolean vectors, String field) {}
