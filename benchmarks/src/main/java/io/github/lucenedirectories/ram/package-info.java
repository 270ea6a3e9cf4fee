/** What measures parts of the block cache that no user sees. */
@NullMarked
package io.github.lucenedirectories.ram;

import org.jspecify.annotations.NullMarked;
