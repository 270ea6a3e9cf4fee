package io.github.lucenedirectories.benchmarks.advise;

/** What was found before anything was measured. */
record Inspection(Contents contents, Machine machine) {}
