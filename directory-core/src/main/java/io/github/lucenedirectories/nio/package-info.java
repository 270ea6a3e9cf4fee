/** The directory over positional reads, {@code NioDirectory}. */
@NullMarked
package io.github.lucenedirectories.nio;

import org.jspecify.annotations.NullMarked;
