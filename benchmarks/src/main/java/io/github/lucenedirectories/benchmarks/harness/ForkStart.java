package io.github.lucenedirectories.benchmarks.harness;

/**
 * How a fork starts.
 *
 * @param name what it is for, in messages
 * @param job the name of a workload, or of another {@link ForkJob}
 * @param spec what it shall do; read there by {@link Fork#spec}
 * @param testFramework whether it needs what lies in lucene-test-framework
 */
public record ForkStart(String name, String job, Object spec, boolean testFramework) {}
