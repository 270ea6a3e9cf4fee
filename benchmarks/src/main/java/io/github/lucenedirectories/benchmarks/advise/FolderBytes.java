package io.github.lucenedirectories.benchmarks.advise;

/**
 * The lengths of the files in an index's folder, which may be more than the last commit has.
 *
 * @param all of all of them
 * @param committed of those that commits name, older ones too: what a copy into memory takes
 * @param unreferenced of those that the last commit does not name
 */
record FolderBytes(long all, long committed, long unreferenced) {}
