package io.github.lucenedirectories.benchmarks.advise;

/**
 * What the inspecting fork looks at.
 *
 * @param index the index's path
 */
record InspectSpec(String index) {}
