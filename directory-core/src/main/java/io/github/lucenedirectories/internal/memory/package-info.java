/** Files in memory: their table, their outputs, and where their memory comes from. */
@NullMarked
package io.github.lucenedirectories.internal.memory;

import org.jspecify.annotations.NullMarked;
