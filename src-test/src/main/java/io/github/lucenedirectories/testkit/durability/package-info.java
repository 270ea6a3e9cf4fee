/**
 * Durability: a disk that loses what was not synced, troubles of a disk, a process that is killed,
 * and the history of commits that tells what must be found afterwards.
 */
@NullMarked
package io.github.lucenedirectories.testkit.durability;

import org.jspecify.annotations.NullMarked;
