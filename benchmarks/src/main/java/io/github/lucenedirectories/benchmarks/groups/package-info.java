/** Control groups of Linux that limit the memory of forks, by versions 1 and 2 of the interface. */
@NullMarked
package io.github.lucenedirectories.benchmarks.groups;

import org.jspecify.annotations.NullMarked;
