/** A simulated persistent memory, in which a power cut can be had at every flush and fence. */
@NullMarked
package io.github.lucenedirectories.pmem;

import org.jspecify.annotations.NullMarked;
