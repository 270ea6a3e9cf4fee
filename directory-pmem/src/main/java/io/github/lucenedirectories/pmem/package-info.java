// SPDX-License-Identifier: Apache-2.0
/**
 * Files in persistent memory.
 *
 * <p>{@link io.github.lucenedirectories.pmem.PmemDirectory} keeps an index in pool files that are
 * read by loads and written by stores. {@link io.github.lucenedirectories.pmem.PmemMode} says how
 * synced files become durable and what they survive. {@link
 * io.github.lucenedirectories.pmem.PmemEngine} is the library that writes and flushes.
 */
@NullMarked
package io.github.lucenedirectories.pmem;

import org.jspecify.annotations.NullMarked;
