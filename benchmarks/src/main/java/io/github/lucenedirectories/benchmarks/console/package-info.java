/** What a user meets on the terminal: refusals, failures and progress. */
@NullMarked
package io.github.lucenedirectories.benchmarks.console;

import org.jspecify.annotations.NullMarked;
