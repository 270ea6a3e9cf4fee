package io.github.lucenedirectories.ram;

import java.util.Arrays;

/** Links of slots in lists. A slot is in at most one of the lists that share this object. */
final class SlotLinks {

  static final int NONE = -1;

  final int[] next;
  final int[] previous;

  SlotLinks(int slots) {
    next = new int[slots];
    previous = new int[slots];
    Arrays.fill(next, NONE);
    Arrays.fill(previous, NONE);
  }
}
