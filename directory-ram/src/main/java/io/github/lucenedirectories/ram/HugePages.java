package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.core.HugePageMode;

/** Whether the memory of files of 2 MiB and more is backed by huge pages, on Linux. */
public enum HugePages {
  /** Where the system gives them. */
  TRY(HugePageMode.TRY),
  /** Opening the directory fails where the system gives none. */
  REQUIRE(HugePageMode.REQUIRE),
  /** Never, whatever the system's default is. */
  NEVER(HugePageMode.NEVER);

  private final HugePageMode mode;

  HugePages(HugePageMode mode) {
    this.mode = mode;
  }

  HugePageMode mode() {
    return mode;
  }
}
