// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

/**
 * The options of a {@link PmemDirectory}.
 *
 * @param initialBytes length of the first pool file
 * @param poolFileBytes length of every later one, unless a file needs a longer one
 * @param maxBytes limit of the total length of all pool files
 * @param chunkBytes longer files are read as several chunks
 */
record PmemOptions(long initialBytes, long poolFileBytes, long maxBytes, long chunkBytes) {}
