/** Closes, deletions and reads at the same time: right bytes or a clean refusal. */
@NullMarked
package io.github.lucenedirectories.testkit.race;

import org.jspecify.annotations.NullMarked;
