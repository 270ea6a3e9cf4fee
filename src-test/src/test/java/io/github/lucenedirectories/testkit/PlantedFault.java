package io.github.lucenedirectories.testkit;

/** A mistake that {@link FaultyDirectory} makes on purpose. */
enum PlantedFault {
  /** No mistake. */
  NONE,
  /** A bulk read over the edge of a block returns one wrong byte. */
  WRONG_BYTE_AT_EDGE,
  /** A read just before the end of the file goes past it. */
  FORGOTTEN_END,
  /** A closed input goes on reading. */
  IGNORED_CLOSE,
  /** The memory of a closed file holds the next file while clones of the old one still read. */
  RECYCLED_MEMORY,
  /** A deleted file is still listed. */
  UNDELETED,
  /** A clone begins at the start instead of where it was made. */
  CLONE_AT_START
}
