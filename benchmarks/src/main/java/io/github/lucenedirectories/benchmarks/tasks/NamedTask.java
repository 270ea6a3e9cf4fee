package io.github.lucenedirectories.benchmarks.tasks;

/** A task and the line it was parsed from. */
public record NamedTask(TaskLine line, Task task) {}
