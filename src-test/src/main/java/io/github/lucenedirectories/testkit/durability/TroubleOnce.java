package io.github.lucenedirectories.testkit.durability;

/** One trouble, at the operation with a given number; all others go well. */
public final class TroubleOnce implements Troubles {

  private final int number;
  private final Trouble trouble;
  private int asked;

  /**
   * @param number of the operation that fails, counted from 0
   */
  public TroubleOnce(int number, Trouble trouble) {
    this.number = number;
    this.trouble = trouble;
  }

  @Override
  public synchronized Trouble at(DiskOperation operation, String name, int bytes) {
    return asked++ == number ? trouble : Trouble.NONE;
  }

  /** How many operations there were so far. */
  public synchronized int asked() {
    return asked;
  }
}
