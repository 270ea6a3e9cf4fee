package io.github.lucenedirectories.benchmarks.load;

import java.util.List;

/**
 * How the load workload measures.
 *
 * @param columns the baseline first
 * @param forks of each column
 * @param live what goes on beside the searches
 * @param pace of the requests
 * @param seed of everything random
 */
record LoadPlan(List<LoadColumn> columns, int forks, Live live, Pace pace, long seed) {

  /**
   * What goes on in a server beside the searches.
   *
   * @param threads that search
   * @param updatesPerSecond of documents by random key; 0 for an index that stays as it is
   * @param reopenMillis from the beginning of a reopen to that of the next
   */
  record Live(int threads, int updatesPerSecond, int reopenMillis) {}

  /**
   * How requests come.
   *
   * @param rates to measure; empty to search for the capacity
   * @param limitMillis of the 99th percentile, up to which a rate counts as held
   * @param warmupSeconds dropped
   * @param stepSeconds of each step
   * @param commonSeconds of the step at the rate that all columns have in common
   * @param finest places of the rate grid between a rate that is held and one that is not
   * @param freezeSeconds for which the server is stopped in the middle of each step; 0 for not
   */
  record Pace(
      List<Double> rates,
      double limitMillis,
      double warmupSeconds,
      double stepSeconds,
      double commonSeconds,
      int finest,
      double freezeSeconds) {}
}
