// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.util.Arrays;

/** A list of slots in the order of their addition. Not thread-safe. */
final class SlotList {

  static final int NONE = -1;

  /** Links of slots in lists. A slot is in at most one of the lists that share this object. */
  static final class Links {
    private final int[] next;
    private final int[] previous;

    Links(int slots) {
      next = new int[slots];
      previous = new int[slots];
      Arrays.fill(next, NONE);
      Arrays.fill(previous, NONE);
    }
  }

  private final Links links;
  private int first = NONE;
  private int last = NONE;
  private int size;

  SlotList(Links links) {
    this.links = links;
  }

  int size() {
    return size;
  }

  /** The slot that was added first, or {@link #NONE}. */
  int first() {
    return first;
  }

  void add(int slot) {
    links.next[slot] = NONE;
    links.previous[slot] = last;
    if (last == NONE) {
      first = slot;
    } else {
      links.next[last] = slot;
    }
    last = slot;
    size++;
  }

  void remove(int slot) {
    int before = links.previous[slot];
    int after = links.next[slot];
    if (before == NONE) {
      first = after;
    } else {
      links.next[before] = after;
    }
    if (after == NONE) {
      last = before;
    } else {
      links.previous[after] = before;
    }
    size--;
  }
}
