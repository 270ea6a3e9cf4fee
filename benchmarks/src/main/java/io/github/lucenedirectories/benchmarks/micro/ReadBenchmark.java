package io.github.lucenedirectories.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What is measured of reads: the average time of one, in nanoseconds.
 *
 * <p>Where they read and what into is the {@link Cursor}'s part. Each benchmark has a loop of its
 * own all the same: in a shared one the compiler would see the calls of several.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
abstract class ReadBenchmark {}
