package io.github.lucenedirectories.benchmarks.console;

/** Tells whoever waits how far a run is. For one thread. */
public interface Progress extends AutoCloseable {

  /** Something begins that takes a moment and has no steps. */
  void note(String what);

  /** The run's steps begin, each a fork. */
  default void start(int steps) {
    start("forks", steps);
  }

  /**
   * Steps begin.
   *
   * @param unit what the steps are, in the plural
   */
  void start(String unit, int steps);

  /** The next step begins. */
  void step(String what);

  /** The step that began last is done. */
  void stepDone();

  /** Leaves the terminal as it was. */
  @Override
  void close();

  /** A bar with the time left on a terminal, else a line now and then. */
  static Progress create() {
    return TerminalProgress.isTerminal() ? new TerminalProgress() : new LineProgress();
  }
}
