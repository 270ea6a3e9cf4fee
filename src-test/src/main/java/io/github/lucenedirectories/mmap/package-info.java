/** What tests need of the directory over mapped files that its users do not. */
@NullMarked
package io.github.lucenedirectories.mmap;

import org.jspecify.annotations.NullMarked;
