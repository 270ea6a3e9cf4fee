/** The contract of a directory: Lucene's own tests, and what this library promises beyond them. */
@NullMarked
package io.github.lucenedirectories.testkit.contract;

import org.jspecify.annotations.NullMarked;
