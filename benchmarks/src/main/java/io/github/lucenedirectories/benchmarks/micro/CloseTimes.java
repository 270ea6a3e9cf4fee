package io.github.lucenedirectories.benchmarks.micro;

import java.util.List;

/**
 * What one fork measured, in nanoseconds, one value for each close.
 *
 * @param directory the simple name of its class
 * @param wall from the call of {@code close} to its return
 * @param cpu of the closing thread in the same time
 * @param wakeUps of a parked thread, one shortly before each close
 */
record CloseTimes(String directory, List<Long> wall, List<Long> cpu, List<Long> wakeUps) {}
