package io.github.lucenedirectories.benchmarks.corpus;

import org.jspecify.annotations.Nullable;

/**
 * One document of a line file.
 *
 * @param epochMillis the time of its last change, UTC
 * @param label a label to count by; absent in most files
 */
public record LineDocument(String title, long epochMillis, String body, @Nullable String label) {}
