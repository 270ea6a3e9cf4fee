// SPDX-License-Identifier: Apache-2.0
/** What a user meets on the terminal: command lines, refusals, progress. */
@NullMarked
package io.github.lucenedirectories.tools.console;

import org.jspecify.annotations.NullMarked;
