/**
 * The test kit: suites that any directory can be run against.
 *
 * <p>A directory takes part by one {@link io.github.lucenedirectories.testkit.DirectoryUnderTest}
 * entry in {@link io.github.lucenedirectories.testkit.DirectoriesUnderTest}: a factory and what the
 * directory is able to do. Suites ask the entry, never the class of a directory. The suites are
 * Lucene test cases, so that seeds, temporary folders over mock file systems and the check for
 * leaked threads come from Lucene's framework; each is abstract and is run by a class of a few
 * lines.
 */
@NullMarked
package io.github.lucenedirectories.testkit;

import org.jspecify.annotations.NullMarked;
