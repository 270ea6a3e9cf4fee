/** The directory over memory-mapped files, {@code MappedDirectory}. */
@NullMarked
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.NullMarked;
