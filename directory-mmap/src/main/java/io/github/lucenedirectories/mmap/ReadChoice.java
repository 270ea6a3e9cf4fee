package io.github.lucenedirectories.mmap;

/**
 * The way in which a file is read, and why.
 *
 * @param fixed true if no change of the memory changes the way of a file that is open
 */
record ReadChoice(ReadWay way, boolean fixed, String reason) {

  ReadChoice(ReadWay way, String reason) {
    this(way, false, reason);
  }

  @Override
  public String toString() {
    return way + ": " + reason;
  }
}
