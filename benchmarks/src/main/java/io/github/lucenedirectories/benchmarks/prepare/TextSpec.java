package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;

/**
 * What the fork that reads a text does.
 *
 * @param text read once, whatever the number of copies
 * @param limit the most documents to write
 * @param file the path to write them to
 */
public record TextSpec(CorpusSpec text, int limit, String file) {}
