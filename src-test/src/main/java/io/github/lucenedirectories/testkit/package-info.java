/**
 * The test kit, for tests that any directory can be run against.
 *
 * <p>A directory takes part by one {@link io.github.lucenedirectories.testkit.DirectoryUnderTest}
 * entry in {@link io.github.lucenedirectories.testkit.DirectoriesUnderTest}: a factory and what the
 * directory is able to do. Tests ask the entry, never the class of a directory. They extend {@link
 * io.github.lucenedirectories.testkit.DirectorySuite}, a Lucene test case, so that seeds, temporary
 * folders over mock file systems and the check for leaked threads come from Lucene's framework.
 */
@NullMarked
package io.github.lucenedirectories.testkit;

import org.jspecify.annotations.NullMarked;
