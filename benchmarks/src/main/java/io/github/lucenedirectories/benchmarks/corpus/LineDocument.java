// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.corpus;

import org.jspecify.annotations.Nullable;

/** One document of a line file, its time in UTC; most files have no labels. */
public record LineDocument(String title, long epochMillis, String body, @Nullable String label) {}
