package io.github.lucenedirectories.core;

/** Whether memory for files is backed by huge pages. */
public enum HugePageMode {
  /** Where the system gives them. */
  TRY,
  /** Opening fails where the system gives none. */
  REQUIRE,
  /** Never, whatever the system's default is. */
  NEVER
}
