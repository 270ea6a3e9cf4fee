package io.github.lucenedirectories;

/** Whether the memory of files of 2 MiB and more is backed by huge pages, on Linux. */
public enum HugePages {
  /** Where the system gives them. */
  TRY,
  /** Opening the directory fails where the system gives none. */
  REQUIRE,
  /** Never, whatever the system's default is. */
  NEVER
}
