package io.github.lucenedirectories.benchmarks.directories;

/**
 * How much the directories that keep new files in memory keep there, Lucene's and ours alike.
 *
 * @param maxMergeMegabytes a flush or a merge that is estimated to be larger goes to the files
 * @param maxCachedMegabytes all that is kept in memory
 */
public record CacheSize(double maxMergeMegabytes, double maxCachedMegabytes) {}
