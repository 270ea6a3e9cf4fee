/** What a run leaves behind: the environment, results.json, the table and the page. */
@NullMarked
package io.github.lucenedirectories.benchmarks.report;

import org.jspecify.annotations.NullMarked;
