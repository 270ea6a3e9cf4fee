package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import java.util.List;

/**
 * What the preparing fork found or made.
 *
 * @param index the index's path
 * @param source where its text comes from
 * @param kinds the kinds that will run
 * @param skipped what will not
 */
public record Prepared(
    String index,
    String source,
    int documents,
    int segments,
    long bytes,
    List<String> kinds,
    List<TaskSelection.Skipped> skipped) {}
