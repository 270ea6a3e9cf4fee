/** The guide: what makes a site of it, and tests that it says what is so. */
@NullMarked
package io.github.lucenedirectories.docs;

import org.jspecify.annotations.NullMarked;
