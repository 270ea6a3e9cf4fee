package io.github.lucenedirectories.ram;

/** A list of slots in the order of their addition. Not thread-safe. */
final class SlotList {

  private final SlotLinks links;
  private int first = SlotLinks.NONE;
  private int last = SlotLinks.NONE;
  private int size;

  SlotList(SlotLinks links) {
    this.links = links;
  }

  int size() {
    return size;
  }

  /** The slot that was added first, or {@link SlotLinks#NONE}. */
  int first() {
    return first;
  }

  void add(int slot) {
    links.next[slot] = SlotLinks.NONE;
    links.previous[slot] = last;
    if (last == SlotLinks.NONE) {
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
    if (before == SlotLinks.NONE) {
      first = after;
    } else {
      links.next[before] = after;
    }
    if (after == SlotLinks.NONE) {
      last = before;
    } else {
      links.previous[after] = before;
    }
    size--;
  }
}
