package io.github.lucenedirectories.ram;

import java.util.Arrays;

/** The neighbours of slots in lists, each slot in at most one of the lists that share this. */
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
