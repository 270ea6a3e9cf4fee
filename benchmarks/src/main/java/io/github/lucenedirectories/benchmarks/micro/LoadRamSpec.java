package io.github.lucenedirectories.benchmarks.micro;

/**
 * What a fork does that loads an index into memory.
 *
 * @param index the index's path
 * @param threads that load or read
 * @param warmups rounds that are not counted
 * @param rounds that are
 */
record LoadRamSpec(String index, int threads, int warmups, int rounds) {}
