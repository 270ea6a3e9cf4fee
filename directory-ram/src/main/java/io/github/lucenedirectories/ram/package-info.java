/** The directory whose files lie in off-heap memory, {@code RamDirectory}. */
@NullMarked
package io.github.lucenedirectories.ram;

import org.jspecify.annotations.NullMarked;
