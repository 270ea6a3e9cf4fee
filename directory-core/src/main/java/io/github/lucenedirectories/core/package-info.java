/**
 * What the directories share: inputs, outputs, memory, native calls. For the sibling modules alone.
 */
@NullMarked
package io.github.lucenedirectories.core;

import org.jspecify.annotations.NullMarked;
