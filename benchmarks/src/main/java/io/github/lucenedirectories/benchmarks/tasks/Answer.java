package io.github.lucenedirectories.benchmarks.tasks;

import java.util.List;

/**
 * What a task found, in full, to be compared between directories.
 *
 * @param total the number of hits; with a {@code +} where Lucene stopped counting
 * @param hits best first
 */
public record Answer(String total, List<Hit> hits) {}
