package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import org.jspecify.annotations.Nullable;

/**
 * Which index a workload uses.
 *
 * @param index the path of an index that exists; null to build one
 * @param vectors whether documents that are built have a vector
 */
public record IndexSource(@Nullable String index, Corpus text, boolean vectors, String field) {}
