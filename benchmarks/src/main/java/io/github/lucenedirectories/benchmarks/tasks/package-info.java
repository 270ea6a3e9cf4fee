/** Query kinds, named and written as in luceneutil: parsing, picking, running. */
@NullMarked
package io.github.lucenedirectories.benchmarks.tasks;

import org.jspecify.annotations.NullMarked;
