/**
 * Files in persistent memory.
 *
 * <p>{@link io.github.lucenedirectories.pmem.PmemDirectory} keeps an index in pool files that are
 * read by loads and written by stores. {@link io.github.lucenedirectories.pmem.PmemMode} says how
 * what was synced becomes durable, and what it survives; {@link
 * io.github.lucenedirectories.pmem.PmemEngine} who writes and flushes; {@link
 * io.github.lucenedirectories.pmem.PmemUsage} what the pools take.
 */
@NullMarked
package io.github.lucenedirectories.pmem;

import org.jspecify.annotations.NullMarked;
