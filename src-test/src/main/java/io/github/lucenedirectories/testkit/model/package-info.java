/** Random operations on a directory, compared step by step with a map of byte arrays. */
@NullMarked
package io.github.lucenedirectories.testkit.model;

import org.jspecify.annotations.NullMarked;
