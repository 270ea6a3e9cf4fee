/** Files in persistent memory. */
@NullMarked
package io.github.lucenedirectories.pmem;

import org.jspecify.annotations.NullMarked;
