/**
 * What options of several directories share: {@link io.github.lucenedirectories.HugePages}, and
 * {@link io.github.lucenedirectories.LoadProgress}, which is told how far a loading has come.
 */
@NullMarked
package io.github.lucenedirectories;

import org.jspecify.annotations.NullMarked;
